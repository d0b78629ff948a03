"""The ORM's changes: F(), bulk statements, transactions, locks, constraints."""

import datetime
from decimal import Decimal

from django.db import IntegrityError, connection, transaction
from django.db.models import Case, F, Value, When
from django.db.models.deletion import ProtectedError
from django.db.models.functions import Concat, Upper

from clinic.models import Patient, Practice, Tag, Visit
from steps import error_of, step

UTC = datetime.timezone.utc


def _patient(number, **fields):
    defaults = {
        "name": f"kanari-{number}", "born": datetime.date(1990, 1, 1), "practice": Practice.objects.get(name="kanari-practice Bern"),
        "registered": datetime.datetime(2025, 1, 1, tzinfo=UTC),
    }
    return Patient(number=number, **(defaults | fields))


def _state(*fields):
    return list(Patient.objects.filter(number__startswith="w-").order_by("number").values_list("number", *fields))


@step
def bulk_create():
    made = Patient.objects.bulk_create([_patient(f"w-{n}", siblings=n) for n in range(6)], batch_size=4)
    return [len(made), _state("siblings", "name")]


@step
def bulk_create_ignored():
    Tag.objects.bulk_create([Tag(label="kanari-red"), Tag(label="kanari-black")], ignore_conflicts=True)
    return sorted(Tag.objects.values_list("label", flat=True))


@step
def bulk_create_upserts():
    Practice.objects.bulk_create(
        [Practice(name="kanari-practice Genf", city="Carouge", opened=datetime.date(2001, 1, 1)),
         Practice(name="kanari-practice Chur", city="Chur", opened=datetime.date(2002, 2, 2))],
        update_conflicts=True, update_fields=["city", "opened"])
    return list(Practice.objects.order_by("name").values_list("name", "city", "opened"))


@step
def f_expressions():
    changed = Patient.objects.filter(number__startswith="w-").update(
        siblings=F("siblings") + 1, balance=F("siblings") * Decimal("1.50"), name=Upper("name"))
    one = Patient.objects.get(number="w-2")
    one.balance = F("balance") - 1
    one.save(update_fields=["balance"])
    one.refresh_from_db()
    return [changed, one.balance, _state("siblings", "balance", "name")]


@step
def conditional_update():
    changed = Patient.objects.filter(number__startswith="w-").update(
        phone=Case(When(siblings__lt=3, then=Value("kanari-few")), default=Concat("number", Value(" kanari-many"))))
    return [changed, _state("phone")]


@step
def bulk_update():
    patients = list(Patient.objects.filter(number__startswith="w-").order_by("number"))
    for n, p in enumerate(patients):
        p.email, p.height = f"kanari-{n}@example.org", n / 8
    return [Patient.objects.bulk_update(patients, ["email", "height"], batch_size=3), _state("email", "height")]


@step
def get_or_create_and_update():
    found = [Tag.objects.get_or_create(label="kanari-white")[1] for _ in range(2)]
    number = {"name": "kanari-upsert", "born": datetime.date(1991, 1, 1), "practice": Practice.objects.first(),
              "registered": datetime.datetime(2025, 1, 1, tzinfo=UTC)}
    found += [Patient.objects.update_or_create(number="w-9", defaults={"siblings": n}, create_defaults=number)[1] for n in (7, 8)]
    return [found, _state("siblings")]


@step
def many_to_many():
    patient = Patient.objects.get(number="w-0")
    red, blue = Tag.objects.get(label="kanari-red"), Tag.objects.get(label="kanari-blue")
    patient.tags.add(red, blue)
    patient.tags.add(red)
    seen = [list(patient.tags.values_list("label", flat=True))]
    patient.tags.remove(red)
    seen.append(list(patient.tags.values_list("label", flat=True)))
    patient.tags.set([red])
    seen.append([list(red.patients.order_by("number").values_list("number", flat=True)), blue.patients.count()])
    patient.tags.clear()
    return seen + [patient.tags.count()]


@step
def json_update():
    patient = Patient.objects.get(number="w-1")
    patient.details = {"list": [1, 2.5, None, True, "kanari-ü"], "empty": {}}
    patient.save()
    patient.refresh_from_db()
    return patient.details


@step
def atomic_rolls_back():
    def fail():
        with transaction.atomic():
            Patient.objects.filter(number="w-0").update(name="kanari-lost")
            with transaction.atomic():
                Patient.objects.filter(number="w-1").update(name="kanari-lost too")
            raise ZeroDivisionError(1)

    return [error_of(ZeroDivisionError, fail), _state("name")]


@step
def savepoints():
    with transaction.atomic():
        Patient.objects.filter(number="w-0").update(name="kanari-outer")
        try:
            with transaction.atomic():
                Patient.objects.filter(number="w-0").update(name="kanari-inner")
                Tag.objects.create(label="kanari-red")
        except IntegrityError:
            pass
    return _state("name")


@step
def violations():
    visit = Visit.objects.order_by("pk").first()

    def outside(function):
        def call():
            with transaction.atomic():
                function()

        return error_of((IntegrityError, ProtectedError), call)

    return {
        "unique": outside(lambda: Tag.objects.create(label="kanari-red")),
        "unique together": outside(lambda: Visit.objects.create(patient=visit.patient, at=visit.at, fee=1)),
        "foreign key": outside(lambda: Visit.objects.create(patient_id=10**9, at=visit.at, fee=1)),
        "not null": outside(lambda: Patient.objects.filter(number="w-0").update(name=None)),
        "protected": outside(lambda: Practice.objects.get(name="kanari-practice Bern").delete()).split(" ")[0],
    }


@step
def select_for_update():
    with transaction.atomic():
        locked = Patient.objects.select_for_update().get(number="w-3")
        locked.siblings += 10
        locked.save()
        joined = Visit.objects.select_for_update().select_related("patient").filter(patient__number="p-002").order_by("at")
        minutes = [v.minutes for v in joined]
    return [minutes, _state("siblings")]


@step
def self_relation():
    first, second = Visit.objects.filter(patient__number="p-005").order_by("at")[:2]
    second.follows = first
    second.save()
    return list(Visit.objects.filter(follows__patient__number="p-005").values_list("kind", "follows__kind"))


@step
def deletes():
    cascaded = Patient.objects.get(number="p-002").delete()
    some = Patient.objects.filter(number__in=["w-4", "w-5"]).delete()
    by_join = Visit.objects.filter(patient__practice__city="Bern", kind="R").delete()
    staff = Visit.objects.exclude(staff=None).count()
    return [cascaded, some, by_join, staff, Patient.objects.count(), Visit.objects.count()]


@step
def raw_cursor():
    with connection.cursor() as cursor:
        cursor.execute("UPDATE clinic_patient SET remarks = CONCAT(remarks, %s) WHERE number = %s", ["kanari-raw", "w-0"])
        changed = cursor.rowcount
        cursor.execute("SELECT number, remarks FROM clinic_patient WHERE number = %s", ["w-0"])
        names = [column[0] for column in cursor.description]
        row = cursor.fetchone()
        cursor.executemany("INSERT INTO clinic_tag (label) VALUES (%s)", [("kanari-m1",), ("kanari-m2",)])
        return [changed, names, row, cursor.rowcount, connection.queries_limit]
