"""The models: every relation and most types of field that Django has."""

import uuid

from django.conf import settings
from django.db import models


class Practice(models.Model):
    """Where patients go."""

    name = models.CharField(max_length=80, unique=True)
    city = models.CharField(max_length=120)
    opened = models.DateField()
    settings = models.JSONField(default=dict)

    def __str__(self):
        return self.name


class Tag(models.Model):
    """A word for patients."""

    label = models.SlugField(unique=True)

    class Meta:
        ordering = ["label"]

    def __str__(self):
        return self.label


class Patient(models.Model):
    """A person, with a field of most types."""

    number = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=100, db_index=True)
    born = models.DateField()
    email = models.EmailField(null=True, blank=True)
    practice = models.ForeignKey(Practice, on_delete=models.PROTECT, related_name="patients")
    tags = models.ManyToManyField(Tag, blank=True, related_name="patients")
    height = models.FloatField(null=True, blank=True)
    siblings = models.PositiveSmallIntegerField(default=0)
    account = models.BigIntegerField(default=0)
    balance = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    remarks = models.TextField(blank=True)
    active = models.BooleanField(default=True)
    registered = models.DateTimeField()
    wakes = models.TimeField(null=True, blank=True)
    stay = models.DurationField(null=True, blank=True)
    token = models.UUIDField(default=uuid.uuid4, unique=True)
    photo = models.BinaryField(null=True)
    details = models.JSONField(default=dict, blank=True)
    phone = models.CharField(max_length=30, default="unknown", blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)

    class Meta:
        ordering = ["name", "number"]
        indexes = [models.Index(fields=["practice", "born"], name="patient_practice_born")]

    def __str__(self):
        return self.name


class Visit(models.Model):
    """A patient's visit to somebody of the staff."""

    class Kind(models.TextChoices):
        """What a visit is for."""

        CHECK = "C", "check"
        URGENT = "U", "urgent"
        REPEAT = "R", "repeat"

    patient = models.ForeignKey(Patient, on_delete=models.CASCADE, related_name="visits")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    follows = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="followers")
    at = models.DateTimeField(db_index=True)
    minutes = models.PositiveIntegerField(default=15)
    fee = models.DecimalField(max_digits=8, decimal_places=2)
    kind = models.CharField(max_length=1, choices=Kind.choices, default=Kind.CHECK)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(fields=["patient", "at"], name="visit_once"),
        ]

    def __str__(self):
        return f"{self.patient} {self.at:%Y-%m-%d}"
