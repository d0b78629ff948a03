"""The admin's pages, through the test client, with sessions and the log of changes."""

import html
import re

from django.contrib.admin.models import LogEntry
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.test import Client

from clinic.models import Patient, Practice, Tag, Visit
from steps import step

client = Client()


def _rows(response):
    """The cells of the list, without their markup."""
    text = response.content.decode()
    rows = re.findall(r"<tr>(.*?)</tr>", text[text.find('id="result_list"'):], re.S)
    cells = [re.findall(r'class="field-[^>]*>(.*?)</t[dh]>', row, re.S) for row in rows]
    return [[html.unescape(re.sub(r"<[^>]*>|\s+", " ", cell)).strip() for cell in row] for row in cells if row]


def _list(query=""):
    response = client.get(f"/admin/clinic/patient/{query}")
    shown = response.context["cl"]
    return [response.status_code, shown.result_count, shown.full_result_count, _rows(response)]


@step
def login():
    closed = client.get("/admin/").status_code
    wrong = client.post("/admin/login/?next=/admin/", {"username": "kanari-root", "password": "wrong"}).status_code
    right = client.post("/admin/login/?next=/admin/", {"username": "kanari-root", "password": "kanari-password"})
    return [closed, wrong, right.status_code, right["Location"], client.get("/admin/").status_code, Session.objects.count()]


@step
def session_holds_data():
    session = client.session
    session["word"] = "kanari-session"
    session.save()
    return [client.session["word"], Session.objects.get(pk=session.session_key).get_decoded()["word"]]


@step
def admin_list():
    return _list()


@step
def admin_second_page():
    return _list("?p=2")


@step
def admin_search():
    return _list("?q=kanari-name+bern")


@step
def admin_filter():
    tag = Tag.objects.get(label="kanari-green")
    return [_list("?active__exact=1"), _list(f"?tags__id__exact={tag.pk}"), _list("?born__year=1963")]


@step
def admin_order():
    return [_list("?o=-5.1"), _list("?o=3")]


def _form(**changes):
    practice = Practice.objects.get(name="kanari-practice Basel")
    form = {
        "number": "a-1", "name": "kanari-admin", "born": "1977-07-07", "email": "", "practice": practice.pk, "height": "1.83",
        "siblings": "2", "account": "5", "balance": "12.34", "remarks": "kanari-form", "active": "on", "registered_0": "2025-03-04",
        "registered_1": "05:06:07", "wakes": "", "stay": "", "token": "20000000-0000-4000-8000-000000000001", "details": '{"a": [1]}',
        "phone": "kanari-1", "address": "2001:db8::1", "tags": [t.pk for t in Tag.objects.filter(label__endswith="e")],
        "visits-TOTAL_FORMS": "1", "visits-INITIAL_FORMS": "0", "visits-MIN_NUM_FORMS": "0", "visits-MAX_NUM_FORMS": "1000",
        "visits-0-at_0": "2025-05-06", "visits-0-at_1": "07:08:09", "visits-0-minutes": "30", "visits-0-fee": "99.99",
        "visits-0-kind": "U", "visits-0-staff": "", "visits-0-follows": "",
    }
    return form | changes


def _errors(response):
    return sorted(str(e) for e in response.context["errors"]) if response.status_code == 200 else response.status_code


@step
def admin_add():
    answers = [_errors(client.post("/admin/clinic/patient/add/", _form(**change))) for change in (
        {}, {"number": "a-1"}, {"number": "a-2", "born": "never", "token": "20000000-0000-4000-8000-000000000002"})]
    made = Patient.objects.get(number="a-1")
    return [answers, made.balance, made.details, made.address, sorted(t.label for t in made.tags.all()), made.visits.get().fee]


@step
def admin_change():
    made = Patient.objects.get(number="a-1")
    path = f"/admin/clinic/patient/{made.pk}/change/"
    page = client.get(path)
    visit = made.visits.get()
    changed = client.post(path, _form(**{
        "name": "kanari-changed", "visits-INITIAL_FORMS": "1", "visits-0-id": visit.pk, "visits-0-patient": made.pk,
        "visits-0-fee": "11.00", "tags": []}))
    made.refresh_from_db()
    visit.refresh_from_db()
    return [page.status_code, page.context["original"].name, changed.status_code, made.name, made.tags.count(), visit.fee]


@step
def admin_change_in_list():
    shown = client.get("/admin/clinic/patient/?q=a-1").context["cl"].result_list
    form = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": shown[0].pk, "_save": "Save"}
    answer = client.post("/admin/clinic/patient/?q=a-1", form)
    return [answer.status_code, Patient.objects.get(number="a-1").active]


@step
def admin_autocomplete():
    query = "term=kanari-name&app_label=clinic&model_name=visit&field_name=patient"
    answer = client.get(f"/admin/autocomplete/?{query}").json()
    return [[r["text"] for r in answer["results"]], answer["pagination"]]


@step
def admin_history():
    made = Patient.objects.get(number="a-1")
    page = client.get(f"/admin/clinic/patient/{made.pk}/history/")
    log = LogEntry.objects.order_by("pk").values_list("action_flag", "object_repr", "change_message", "user__username", "content_type__model")
    return [page.status_code, list(log)]


@step
def admin_delete():
    made = Patient.objects.get(number="a-1")
    path = f"/admin/clinic/patient/{made.pk}/delete/"
    asked = client.get(path)
    done = client.post(path, {"post": "yes"})
    return [asked.status_code, [[str(name), n] for name, n in asked.context["model_count"]], done.status_code, Patient.objects.filter(number="a-1").exists()]


@step
def admin_delete_selected():
    chosen = list(Tag.objects.filter(label__startswith="kanari-m").values_list("pk", flat=True))
    form = {"action": "delete_selected", "_selected_action": chosen}
    asked = client.post("/admin/clinic/tag/", form)
    done = client.post("/admin/clinic/tag/", form | {"post": "yes"})
    return [asked.status_code, done.status_code, Tag.objects.filter(label__startswith="kanari-m").count()]


@step
def admin_protected_delete():
    practice = Practice.objects.get(name="kanari-practice Bern")
    page = client.get(f"/admin/clinic/practice/{practice.pk}/delete/")
    return [page.status_code, len(page.context["protected"]), Visit.objects.filter(patient__practice=practice).count()]


@step
def users_and_groups():
    group = Group.objects.create(name="kanari-group")
    group.permissions.set(Permission.objects.filter(codename__in=["view_patient", "change_patient"]))
    user = get_user_model().objects.get(username="kanari-staff0")
    user.groups.add(group)
    user = get_user_model().objects.get(pk=user.pk)
    return [sorted(user.get_all_permissions()), user.has_perm("clinic.view_patient"), user.has_perm("clinic.delete_patient"),
            authenticate(username="kanari-staff0", password="secret") == user, authenticate(username="kanari-staff0", password="no"),
            [u.username for u in get_user_model().objects.with_perm("clinic.change_patient", backend="django.contrib.auth.backends.ModelBackend")
             .order_by("username")]]


@step
def logout():
    left = client.post("/admin/logout/").status_code
    return [left, client.get("/admin/").status_code, Session.objects.count()]
