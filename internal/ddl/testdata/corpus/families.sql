-- default: order
CREATE TABLE order_line (ol_o_id INT NOT NULL COMMENT 'tunic: order family line', ol_d_id TINYINT NOT NULL COMMENT 'tunic: equality family line', ol_w_id SMALLINT NOT NULL COMMENT 'tunic: equality family line', ol_number TINYINT NOT NULL COMMENT 'tunic: order family line', ol_i_id INT COMMENT 'tunic: family line', ol_supply_w_id SMALLINT COMMENT 'tunic: family line', ol_delivery_d DATETIME COMMENT 'tunic: family line', ol_quantity TINYINT COMMENT 'tunic: family line', ol_amount DECIMAL(6,2) COMMENT 'tunic: family line', ol_dist_info CHAR(24) COMMENT 'tunic: family line', PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number), KEY item (ol_supply_w_id, ol_i_id));
CREATE TABLE fixed (a INT NOT NULL COMMENT 'tunic: family Numbers', b BIGINT DEFAULT 5 COMMENT 'of the card; tunic: sealed family numbers', c DATE COMMENT 'tunic: family NUMBERS');
CREATE TABLE two (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'tunic: family x', b VARCHAR(20) COMMENT 'tunic: equality family y', c INT COMMENT 'tunic: family x', d INT, e INT COMMENT 'tunic: plain', f TEXT COMMENT 'tunic: sealed family y');
CREATE TABLE alone (id INT PRIMARY KEY, a INT COMMENT 'tunic: family only');
CREATE TABLE kinds (a ENUM('x','yy') DEFAULT 'yy' COMMENT 'tunic: family k', b SET('p','q') COMMENT 'tunic: family k', c JSON COMMENT 'tunic: sealed family k', d BIT(3) COMMENT 'tunic: family k', e TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP COMMENT 'tunic: family k', f BINARY(16) COMMENT 'tunic: family k', g DECIMAL(40,2) COMMENT 'tunic: family k', h YEAR COMMENT 'tunic: family k', i TIME(3) COMMENT 'tunic: family k', j DOUBLE COMMENT 'tunic: family k');
CREATE TABLE computed (a INT COMMENT 'tunic: family g', b INT AS (a + 1) STORED COMMENT 'tunic: family g', c INT DEFAULT (1 + 1) COMMENT 'tunic: family g', CHECK (c > 0));
CREATE TABLE wide (a VARCHAR(3000) COMMENT 'tunic: family w', b VARCHAR(2000) COMMENT 'tunic: family w', c VARCHAR(100), d MEDIUMTEXT COMMENT 'tunic: sealed family m', e MEDIUMTEXT COMMENT 'tunic: sealed family m');
CREATE TABLE crowded (a VARCHAR(2500) COMMENT 'tunic: family w', b VARCHAR(1000) COMMENT 'tunic: family w', c VARCHAR(3000), d VARCHAR(3000), e VARCHAR(3000), f VARCHAR(3000));
CREATE TABLE long_name (a INT COMMENT 'tunic: family a_family_with_a_very_long_name_that_has_more_than_sixty_characters');
CREATE TABLE parent (id INT PRIMARY KEY COMMENT 'tunic: equality family p', v INT COMMENT 'tunic: family p');
CREATE TABLE child (id INT PRIMARY KEY, p INT COMMENT 'tunic: equality family c', q INT COMMENT 'tunic: family c', CONSTRAINT of_parent FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE);
CREATE TABLE child2 (id INT PRIMARY KEY, p INT COMMENT 'tunic: equality family c', FOREIGN KEY (p) REFERENCES parent (id) ON DELETE SET NULL);
CREATE TABLE child3 (id INT PRIMARY KEY, P INT COMMENT 'tunic: equality family c', FOREIGN KEY (p) REFERENCES parent (id) ON UPDATE CASCADE);
CREATE TABLE child4 (id INT PRIMARY KEY, p INT COMMENT 'tunic: family c', FOREIGN KEY (p) REFERENCES two (id));
CREATE TABLE child5 (id INT PRIMARY KEY, p INT COMMENT 'tunic: equality', q INT COMMENT 'tunic: family c', FOREIGN KEY (p) REFERENCES parent (id) ON UPDATE SET NULL);
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY COMMENT 'tunic: family f');
CREATE TABLE server_computed (a INT COMMENT 'tunic: plain', b INT AS (a + 1) COMMENT 'tunic: family f', c INT);
CREATE TEMPORARY TABLE passing (a INT COMMENT 'tunic: family f');
CREATE TABLE in_memory (a INT COMMENT 'tunic: family f') ENGINE=MEMORY;
CREATE TABLE isam (a INT COMMENT 'tunic: family f', b INT COMMENT 'tunic: family f') ENGINE=MyISAM;
CREATE TABLE fence (a INT COMMENT 'tunic: family tunic');
CREATE TABLE looks (`a$form` INT);
CREATE TABLE plain_member (a INT COMMENT 'tunic: plain family f');
CREATE TABLE odd_name (a INT COMMENT 'tunic: family order-line');
CREATE TABLE swapped (a INT COMMENT 'tunic: family f equality');
-- default: plain
CREATE TABLE unprotected (a INT COMMENT 'tunic: family f');
CREATE TABLE said (a INT COMMENT 'tunic: sealed family f', b INT);
-- rule: shop.ruled.a = equality
CREATE TABLE ruled (a INT COMMENT 'tunic: family f', b INT COMMENT 'tunic: sealed family f');
