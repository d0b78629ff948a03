"""The ORM's questions: lookups, joins, aggregates, subqueries, windows, documents."""

import datetime
from decimal import Decimal

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import (
    Avg, BooleanField, Case, CharField, Count, DecimalField, Exists, ExpressionWrapper, F, Max, Min, OuterRef, Prefetch, Q,
    StdDev, Subquery, Sum, Value, When, Window,
)
from django.db.models.functions import (
    Coalesce, Concat, ExtractYear, Length, Lower, Rank, RowNumber, Substr, TruncDate, TruncMonth, Upper,
)
from django.test.utils import CaptureQueriesContext

from clinic.models import Patient, Practice, Tag, Visit
from steps import step

UTC = datetime.timezone.utc
CANARY = 7731415926535897932


def _day(n, hour=9):
    return datetime.datetime(2024, 1, 1, hour, tzinfo=UTC) + datetime.timedelta(days=n)


@step
def fill():
    staff = [get_user_model().objects.create_user(f"kanari-staff{n}", f"staff{n}@example.org", "secret") for n in range(2)]
    practices = Practice.objects.bulk_create(
        Practice(name=f"kanari-practice {c}", city=c, opened=datetime.date(2000 + i, 5, 6), settings={"beds": i, "kind": "kanari-kind"})
        for i, c in enumerate(["Bern", "Basel", "Genf"]))
    practices = list(Practice.objects.filter(name__in=[p.name for p in practices]).order_by("pk"))
    tags = [Tag.objects.get_or_create(label=label)[0] for label in ("kanari-red", "kanari-green", "kanari-blue")]
    for n in range(12):
        patient = Patient.objects.create(
            number=f"p-{n:03}", name=f"kanari-{'Ärger' if n % 4 == 0 else 'name'} {n % 5}", born=datetime.date(1960 + n, 1 + n, 28),
            email=None if n % 3 == 0 else f"kanari-{n}@example.org", practice=practices[n % 3], height=None if n == 5 else 1.5 + n / 16,
            siblings=n % 4, account=CANARY + n, balance=Decimal(n * n) / 4 - 10, remarks="kanari-remark " * n, active=n % 5 != 1,
            registered=_day(n), wakes=datetime.time(6, n, 30), stay=datetime.timedelta(hours=n, microseconds=5) if n % 2 else None,
            token=f"10000000-0000-4000-8000-0000000000{n:02}", photo=bytes([0, n, 255]) if n % 4 else None,
            details={"blood": ["A", "B", "0"][n % 3], "marks": list(range(n % 4)), "nested": {"deep": n % 2 == 0, "word": "kanari-json"}},
            phone=f"kanari-{n:04}", address="192.0.2.1" if n % 2 else None)
        patient.tags.set(tags[: n % 4])
        for v in range(n % 3 + 1):
            Visit.objects.create(
                patient=patient, staff=staff[v % 2] if v else None, at=_day(n + 30 * v, 10 + v), minutes=15 * (v + 1),
                fee=Decimal("20.25") * (v + 1) + n, kind="CUR"[v])
    return [Practice.objects.count(), Tag.objects.count(), Patient.objects.count(), Visit.objects.count()]


@step
def lookups():
    found = Patient.objects.order_by("number").values_list("number", flat=True)
    return {
        "exact": list(found.filter(number="p-003")),
        "iexact": list(found.filter(number__iexact="P-003")),
        "contains": list(found.filter(name__contains="ger")),
        "icontains": list(found.filter(name__icontains="ÄRGER")),
        "startswith": list(found.filter(name__startswith="kanari-name")),
        "endswith": list(found.filter(phone__endswith="7")),
        "regex": list(found.filter(number__regex=r"^p-0[01][2-5]$")),
        "in": list(found.filter(number__in=["p-001", "p-002", "none"])),
        "range": list(found.filter(born__range=(datetime.date(1963, 1, 1), datetime.date(1966, 1, 1)))),
        "gt": list(found.filter(balance__gt=Decimal("5.00"))),
        "lte": list(found.filter(height__lte=1.75)),
        "isnull": list(found.filter(email__isnull=True)),
        "year": list(found.filter(born__year=1965)),
        "month": list(found.filter(born__month__gte=10)),
        "date": list(found.filter(registered__date=datetime.date(2024, 1, 5))),
        "bool": list(found.filter(active=False)),
        "time": list(found.filter(wakes__gte=datetime.time(6, 9))),
        "duration": list(found.filter(stay__gt=datetime.timedelta(hours=8))),
        "uuid": list(found.filter(token="10000000-0000-4000-8000-000000000007")),
        "binary": list(found.filter(photo=b"\0\x03\xff")),
        "account": list(found.filter(account=CANARY + 7)),
        "or": list(found.filter(Q(siblings=3) | Q(balance__lt=-9), ~Q(active=False))),
        "exclude": list(found.exclude(tags__label="kanari-red")),
    }


@step
def all_fields():
    return list(Patient.objects.filter(number__in=["p-000", "p-007"]).values())


@step
def json_lookups():
    found = Patient.objects.order_by("number").values_list("number", flat=True)
    return {
        "key": list(found.filter(details__blood="A")),
        "deep": list(found.filter(details__nested__deep=True)),
        "index": list(found.filter(details__marks__1=1)),
        "has_key": list(found.filter(details__has_key="blood")),
        "contains": list(found.filter(details__contains={"blood": "B"})),
        "word": list(found.filter(details__nested__word__icontains="KANARI")),
        "values": list(found.filter(number="p-004").values_list("details__nested__word", "details__marks")),
    }


@step
def joins():
    found = Patient.objects.filter(practice__city="Basel", visits__kind="U").distinct().order_by("number")
    spanning = Visit.objects.filter(patient__practice__settings__beds=1, staff__username="kanari-staff1").order_by("pk")
    return [list(found.values_list("number", "practice__name")), list(spanning.values_list("patient__number", "fee", "staff__email"))]


@step
def select_related():
    with CaptureQueriesContext(connection) as queries:
        found = [
            [v.patient.name, v.patient.practice.city, v.staff and v.staff.username, v.fee]
            for v in Visit.objects.select_related("patient__practice", "staff").order_by("patient__number", "at")
        ]
    return [len(queries), found]


@step
def prefetch_related():
    urgent = Prefetch("visits", Visit.objects.filter(kind="U").order_by("at"), to_attr="urgent")
    with CaptureQueriesContext(connection) as queries:
        found = [
            [p.number, [t.label for t in p.tags.all()], [v.minutes for v in p.urgent]]
            for p in Patient.objects.prefetch_related("tags", urgent).order_by("number")
        ]
    return [len(queries), found]


@step
def aggregates():
    return Patient.objects.aggregate(
        Count("id"), Sum("balance"), Avg("balance"), Min("born"), Max("registered"), Count("email"), Max("account"),
        cities=Count("practice__city", distinct=True), siblings=Sum("siblings", filter=Q(active=True)))


@step
def aggregate_heights():
    found = Patient.objects.filter(height__isnull=False).aggregate(Avg("height"), StdDev("height"))
    return {name: round(value, 9) for name, value in found.items()}


@step
def annotations():
    found = Practice.objects.annotate(n=Count("patients"), owed=Sum("patients__balance")).filter(n__gt=1).order_by("name")
    tags = Tag.objects.annotate(n=Count("patients", distinct=True)).values_list("label", "n")
    months = Visit.objects.annotate(month=TruncMonth("at")).values("month").annotate(n=Count("id"), fees=Sum("fee")).order_by("month")
    return [list(found.values("name", "n", "owed")), list(tags), list(months)]


@step
def group_by_kind():
    found = Visit.objects.values("kind").annotate(n=Count("id"), least=Min("fee"), most=Max("fee")).order_by("-n", "kind")
    having = Visit.objects.values("patient__practice__city").annotate(total=Sum("minutes")).filter(total__gt=60).order_by("-total")
    return [list(found), list(having)]


@step
def expressions():
    found = Patient.objects.filter(number__lt="p-004").order_by("number").annotate(
        upper=Upper("name"), lower=Lower("number"), length=Length("remarks"), start=Substr("name", 1, 8),
        year=ExtractYear("born"), day=TruncDate("registered"), both=Concat("number", Value("/"), "name"),
        mail=Coalesce("email", Value("none"), output_field=CharField()),
        twice=ExpressionWrapper(F("balance") * 2, output_field=DecimalField(max_digits=14, decimal_places=2)),
        worth=Case(When(balance__lt=-9, then=Value("poor")), When(active=False, then=Value("gone")), default=Value("fine")))
    return list(found.values("number", "upper", "lower", "length", "start", "year", "day", "both", "mail", "twice", "worth"))


@step
def subqueries():
    last = Visit.objects.filter(patient=OuterRef("pk")).order_by("-at")
    found = Patient.objects.annotate(
        last_fee=Subquery(last.values("fee")[:1]), urgent=Exists(last.filter(kind="U")),
        rich=ExpressionWrapper(Q(balance__gt=0), output_field=BooleanField()))
    best = Patient.objects.filter(pk__in=Visit.objects.filter(fee__gte=Decimal("60")).values("patient"))
    return [list(found.order_by("number").values_list("number", "last_fee", "urgent", "rich")),
            sorted(best.values_list("number", flat=True)),
            Patient.objects.filter(~Exists(Visit.objects.filter(patient=OuterRef("pk"), kind="R"))).count()]


@step
def windows():
    found = Visit.objects.annotate(
        rank=Window(Rank(), partition_by=[F("kind")], order_by=F("fee").desc()),
        row=Window(RowNumber(), order_by=[F("fee").asc(), F("id").asc()]))
    return list(found.order_by("row").values_list("kind", "fee", "rank", "row")[:8])


@step
def sets():
    a = Patient.objects.filter(siblings=1).order_by().values_list("number", "name")
    b = Patient.objects.filter(active=False).order_by().values_list("number", "name")
    return [sorted(a.union(b)), sorted(a.union(b, all=True)), sorted(a.intersection(b)), sorted(a.difference(b))]


@step
def pages():
    ordered = Patient.objects.order_by("-born", "number").values_list("number", flat=True)
    return [list(ordered[0:4]), list(ordered[4:8]), ordered.count(), ordered.last(), ordered.reverse().first()]


@step
def dates_and_distinct():
    return [list(Visit.objects.dates("at", "month")), list(Visit.objects.datetimes("at", "day", order="DESC")[:3]),
            list(Patient.objects.order_by("siblings").values_list("siblings", flat=True).distinct())]


@step
def earliest_latest_exists():
    return [Patient.objects.earliest("born").number, Patient.objects.latest("registered").number,
            Patient.objects.filter(name="nobody").exists(), Patient.objects.filter(number="p-001").exists(),
            Patient.objects.contains(Patient.objects.get(number="p-002")), Patient.objects.in_bulk(["p-001"], field_name="number").keys()
            == {"p-001"}]


@step
def raw_and_iterator():
    raw = Patient.objects.raw("SELECT id, number, name FROM clinic_patient WHERE number LIKE %s ORDER BY number", ["p-00%"])
    return [[p.name for p in raw], sum(1 for _ in Patient.objects.iterator(chunk_size=2))]
