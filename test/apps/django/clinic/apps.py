"""The application of the site."""

from django.apps import AppConfig


class ClinicConfig(AppConfig):
    """A clinic: practices, patients, their visits."""

    name = "clinic"
