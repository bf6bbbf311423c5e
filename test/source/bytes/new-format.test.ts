// What a new file format needs beyond its reader: its row in the manual, and its name in the types of the library.
import { expect, expectTypeOf, it } from 'vitest';
import type { ImportFileOptions } from '../../../src/library/library-api.js';
import { type Format, formatNames } from '../../../src/source/bytes/detect-format.js';
import { readPage } from '../../manual/documentation.js';

it('each format is in the table of the page of files', () => {
  const { text } = readPage('files');
  const inTable = (name: string) => text.split('\n').some((line) => line.startsWith('|') && line.includes(name));
  expect(Object.values(formatNames).filter((name) => !inTable(name))).toEqual([]);
});

it('a program that uses the library may name each format', () => {
  expectTypeOf<NonNullable<ImportFileOptions['format']>>().toEqualTypeOf<Format>();
});
