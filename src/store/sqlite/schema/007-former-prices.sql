-- The prices that a product had in the last 30 days, as core/resources/former-prices.ts packs them; '' until its first change.
ALTER TABLE product ADD COLUMN former_prices TEXT NOT NULL DEFAULT '';
