// Reads what a plan tells of the end of its feed's run. A plan may come from an attacker: all members are checked.

import { type AffectedRecords, type FeedEnd, feedEffects } from '../../core/ledger/feed-end.js';
import { findResource } from '../../core/resources/index.js';
import { plannedResources } from './plan-format.js';

/** Reads the end of a feed's run; undefined where it is not one. */
export function readFeedEnd(given: unknown): FeedEnd | undefined {
  const { notes, records } = membersOf(given);
  if (!areTexts(notes) || !Array.isArray(records)) return undefined;
  const affected = records.map(readAffected).filter((one) => one !== undefined);
  return affected.length === records.length ? { notes, records: affected } : undefined;
}

function readAffected(given: unknown): AffectedRecords | undefined {
  const { effect, resource, count, keys } = membersOf(given);
  const known = feedEffects.find((one) => one === effect);
  const of = typeof resource === 'string' ? findResource(resource, plannedResources) : undefined;
  if (known === undefined || of === undefined || !areTexts(keys)) return undefined;
  if (!Number.isSafeInteger(count) || Number(count) < keys.length) return undefined;
  return { effect: known, resource: of.name, count: Number(count), keys };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
