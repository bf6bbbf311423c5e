// Headers of wholesalers and of the files that marketplaces take, with their answers. The form is that of header-sets.ts.
export const marketplaceHeaderSets: readonly string[] = [
  'Dutch garden wholesaler | Artikelnummer=code>sku | Omschrijving=text>name | Merk=brand | EAN-code=ean>ean | Adviesprijs incl. BTW=gross?price | Inkoopprijs excl. BTW=cost | BTW %=vat | Aantal per doos=few | Prijs per doos=hundred?price | Vrije voorraad=qty>stock | Productgroep=ptype',
  'Danish wholesaler | Varenr.=code>sku | Beskrivelse=text>name | Varegruppe=ptype | Udsalgspris=gross>price | Kostpris=cost | Lager=qty>stock',
  'French electrical wholesaler | Réf.=letter>sku | Désignation=text>name | PU HT=net | PU TTC=gross>price | Colisage=few | Gencod=ean>ean',
  'Fashion marketplace | zalando_article=parent | merchant_product_simple_id=code>sku | ean=ean>ean | product_name=text>name | color=colour | regular_price_eur=gross>price | stock_quantity=qty>stock',
  'Listings of an auction house | CustomLabel=code?sku | *Title=text>name | *Category=num2 | ConditionID=graded | *Quantity=qty>stock | *StartPrice=gross>price | Product:EAN=ean>ean',
  'A column for each size | Style=parent | Name=text>name | Colour=tint?sku | Price=gross>price | S=qty | M=qty2 | L=few',
  'Distributor of the US | Item Number=code>sku | Short Description=text>name | UPC=ean>ean | MAP=gross?price | Dealer 1-9=cost | Dealer 10+=cost | Case Qty=few | Units On Hand=qty | Cases On Hand=qty2',
];
