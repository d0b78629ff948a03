"""Notes, trees of labels, longer titles."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.add_column("customer", sa.Column("note", sa.Text(), nullable=True))
    op.drop_column("customer", "fax")
    op.create_index(op.f("ix_customer_name"), "customer", ["name"], unique=False)
    op.add_column("label", sa.Column("parent_id", sa.Integer(), nullable=True))
    op.create_foreign_key(op.f("fk_label_parent_id_label"), "label", "label", ["parent_id"], ["id"])
    op.alter_column("item", "title", existing_type=sa.String(60), type_=sa.String(100), existing_nullable=False)
    op.alter_column("line", "quantity", existing_type=sa.SmallInteger(), type_=sa.Integer(), existing_nullable=False)
    customer = sa.table("customer", sa.column("email", sa.String), sa.column("note", sa.Text))
    op.execute(customer.update().where(customer.c.email.like("%.org")).values(note="kanari-note of " + customer.c.email))


def downgrade():
    op.alter_column("line", "quantity", existing_type=sa.Integer(), type_=sa.SmallInteger(), existing_nullable=False)
    op.alter_column("item", "title", existing_type=sa.String(100), type_=sa.String(60), existing_nullable=False)
    op.drop_constraint(op.f("fk_label_parent_id_label"), "label", type_="foreignkey")
    op.drop_column("label", "parent_id")
    op.drop_index(op.f("ix_customer_name"), table_name="customer")
    op.add_column("customer", sa.Column("fax", sa.String(30), nullable=True))
    op.drop_column("customer", "note")
