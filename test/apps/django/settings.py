"""A Django site as its users write them: nothing in it knows of tunic."""

import os

SECRET_KEY = "a scenario's own"
DEBUG = False
ALLOWED_HOSTS = ["testserver"]
ROOT_URLCONF = "urls"
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "static/"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "clinic",
]

MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# One round of hashing is enough for a password that everybody knows.
PASSWORD_HASHERS = ["hashers.QuickHasher"]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.mysql",
        "HOST": os.environ["APP_HOST"],
        "PORT": os.environ["APP_PORT"],
        "USER": os.environ["APP_USER"],
        "PASSWORD": os.environ["APP_PASSWORD"],
        "NAME": os.environ["APP_DATABASE"],
        "OPTIONS": {"charset": "utf8mb4", "ssl": {"ca": os.environ["APP_CA"]}},
    }
}
