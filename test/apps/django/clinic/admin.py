"""The admin pages of the models."""

from django.contrib import admin

from .models import Patient, Practice, Tag, Visit


class VisitInline(admin.TabularInline):
    """Visits on their patient's page."""

    model = Visit
    extra = 1
    raw_id_fields = ["follows"]


@admin.register(Patient)
class PatientAdmin(admin.ModelAdmin):
    """Patients, searched, filtered, paged and changed in the list."""

    list_display = ["number", "name", "born", "practice", "balance", "active", "registered"]
    list_filter = ["active", "practice", "tags", "registered"]
    list_editable = ["active"]
    list_per_page = 4
    list_select_related = ["practice"]
    search_fields = ["name", "number", "practice__name", "tags__label"]
    date_hierarchy = "born"
    inlines = [VisitInline]
    filter_horizontal = ["tags"]


@admin.register(Visit)
class VisitAdmin(admin.ModelAdmin):
    """Visits, found by their patient."""

    list_display = ["patient", "at", "kind", "fee"]
    autocomplete_fields = ["patient"]
    date_hierarchy = "at"


admin.site.register([Practice, Tag])
