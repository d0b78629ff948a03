"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade():
    op.create_table('customer',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('email', sa.String(length=120), nullable=False),
        sa.Column('name', sa.String(length=80), nullable=False),
        sa.Column('level', sa.Enum('plain', 'silver', 'gold', name='level'), nullable=False),
        sa.Column('born', sa.Date(), nullable=True),
        sa.Column('account', sa.BigInteger(), nullable=False),
        sa.Column('details', sa.JSON(), nullable=True),
        sa.Column('version', sa.Integer(), nullable=False),
        sa.Column('fax', sa.String(length=30), nullable=True),
        sa.Column('since', sa.DateTime(), server_default=sa.text('CURRENT_TIMESTAMP'), nullable=False),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_customer')),
        sa.UniqueConstraint('email', name=op.f('uq_customer_email'))
    )
    op.create_table('item',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('kind', sa.String(length=10), nullable=False),
        sa.Column('code', sa.String(length=20), nullable=False),
        sa.Column('title', sa.String(length=60), nullable=False),
        sa.Column('price', sa.Numeric(precision=10, scale=2), nullable=False),
        sa.Column('weight', sa.Double(), nullable=True),
        sa.Column('box', sa.String(length=30), nullable=True),
        sa.Column('hours', sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_item')),
        sa.UniqueConstraint('code', name=op.f('uq_item_code'))
    )
    op.create_table('label',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('word', sa.String(length=30), nullable=False),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_label')),
        sa.UniqueConstraint('word', name=op.f('uq_label_word'))
    )
    op.create_table('item_label',
        sa.Column('item_id', sa.Integer(), nullable=False),
        sa.Column('label_id', sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_item_label_item_id_item'), ondelete='CASCADE'),
        sa.ForeignKeyConstraint(['label_id'], ['label.id'], name=op.f('fk_item_label_label_id_label'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('item_id', 'label_id', name=op.f('pk_item_label'))
    )
    op.create_table('order',
        sa.Column('id', sa.Integer(), nullable=False),
        sa.Column('customer_id', sa.Integer(), nullable=False),
        sa.Column('number', sa.Integer(), nullable=False),
        sa.Column('placed', sa.DateTime(), nullable=False),
        sa.Column('paid', sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(['customer_id'], ['customer.id'], name=op.f('fk_order_customer_id_customer')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_order')),
        sa.UniqueConstraint('customer_id', 'number', name=op.f('uq_order_customer_id'))
    )
    op.create_index('ix_order_placed', 'order', ['placed', 'number'], unique=False)
    op.create_table('profile',
        sa.Column('customer_id', sa.Integer(), nullable=False),
        sa.Column('motto', sa.String(length=200), nullable=False),
        sa.Column('picture', sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(['customer_id'], ['customer.id'], name=op.f('fk_profile_customer_id_customer'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('customer_id', name=op.f('pk_profile'))
    )
    op.create_table('line',
        sa.Column('order_id', sa.Integer(), nullable=False),
        sa.Column('position', sa.Integer(), autoincrement=False, nullable=False),
        sa.Column('item_id', sa.Integer(), nullable=False),
        sa.Column('quantity', sa.SmallInteger(), nullable=False),
        sa.Column('price', sa.Numeric(precision=10, scale=2), nullable=False),
        sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_line_item_id_item')),
        sa.ForeignKeyConstraint(['order_id'], ['order.id'], name=op.f('fk_line_order_id_order'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('order_id', 'position', name=op.f('pk_line'))
    )


def downgrade():
    op.drop_table('line')
    op.drop_table('profile')
    op.drop_table('order')
    op.drop_table('item_label')
    op.drop_table('label')
    op.drop_table('item')
    op.drop_table('customer')
