// The raw texts of a record for the file of refused rows, with the marks by which it is read again.
import type { RawPart } from '../../record-reader.js';
import type { MapperState } from '../mapper-state.js';
import type { RefusalOrigin } from './refusal-origin.js';

/** The raw texts of a record for the file of refused rows: filled, and unfilled for tables, with its original line. */
export function partsOf(
  state: MapperState,
  { record, line, raw }: { readonly record: unknown; readonly line: number; readonly raw: string },
  back: RefusalOrigin | undefined,
  isFilled: boolean,
): RawPart[] {
  const text = isFilled ? (state.rowText?.(record as string[]) ?? raw) : raw;
  if (back !== undefined) return [{ text, line: back.line, isFilled: isFilled || back.isFilled }];
  if (!isFilled) return [{ text }];
  const filled = { text, line, isFilled };
  return state.hasTables ? [filled, { text: raw, line, isLookedUp: true }] : [filled];
}

/**
 * A part of a group, with the line of its first row. For an interrupted group it is open which neighbours belong to it,
 * and how it is filled.
 */
export function placed(
  { bound, hasTables }: MapperState,
  part: RawPart,
  { first, torn, line }: { readonly first: number; readonly torn: number | undefined; readonly line: number },
): RawPart[] {
  if (part.isLookedUp || (part.line === undefined && torn === undefined)) return [part];
  if (torn === undefined) return [{ ...part, line: first, isLoose: false }];
  const isFilled = part.isFilled === true || bound?.fill !== undefined;
  // Tables get the row as it was written.
  const asWritten: RawPart[] =
    isFilled && part.isFilled !== true && hasTables ? [{ text: part.text, line, isLookedUp: true }] : [];
  return [{ ...part, line: first, isLoose: true, isFilled }, ...asWritten];
}

/** A part that does not belong to the record before it. */
export function apart(part: RawPart): RawPart {
  return part.isLoose === true ? { ...part, isApart: true } : part;
}
