// The list of all resources.
import type { Resource } from '../resource.js';
import { category } from './category.js';
import { characteristic, sharedCharacteristic } from './characteristic.js';
import { product } from './product.js';
import { productGroup } from './product-group.js';
import { review } from './review.js';
import { shopKinds } from './shop.js';

/** The five resources of the interface, in import order: each refers to earlier ones. */
export const resources: readonly Resource[] = [characteristic, category, productGroup, product, review];

/** Records of the shop outside the interface, in the order in which a folder is loaded. */
export const shopResources: readonly Resource[] = [...shopKinds, sharedCharacteristic];

/** A resource by any of its names: `product`, `products`, `product-group`, …. */
export function findResource(word: string, among: readonly Resource[] = resources): Resource | undefined {
  return among.find(({ name, command, words }) => name === word || command === word || words.includes(word));
}
