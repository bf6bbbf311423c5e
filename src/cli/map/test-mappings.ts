// `map test`: runs the examples of mappings, and updates them.
import { CatalogError } from '../../core/errors.js';
import { readText } from '../../files/read-text.js';
import { writeTextFile } from '../../files/write-text-file.js';
import { testMapping, updatedExamples } from '../../source/mapping/examples/test-mapping.js';
import { readMapping } from '../../source/mapping/read-mapping.js';
import { exitCodes } from '../exit-codes.js';
import { sectionsOf } from '../import/mapping-jobs.js';
import { type MapTestForm, type MapTestResult, mapTestReport } from './map-test-report.js';

export interface MapTestFlags {
  readonly output: MapTestForm;
  readonly update?: boolean;
  readonly quiet?: boolean;
}

/** @throws CatalogError `usage` where a mapping cannot be used, or has no examples */
export async function testMappings(
  maps: readonly string[],
  { output, update = false, quiet = false }: MapTestFlags,
  process: NodeJS.Process,
): Promise<void> {
  const results: MapTestResult[] = [];
  for (const map of maps) {
    const mapping = readMapping(map);
    if (mapping.examples?.length === 0)
      throw new CatalogError(
        'usage',
        `${map} has no examples; write examples: with rows:, then map test ${map} --update.`,
      );
    const examples = await testMapping({ mapping, sections: sectionsOf(mapping, map, undefined) });
    const differ = examples.filter(({ diff }) => diff.length > 0).length;
    if (update && differ > 0) {
      const text = updatedExamples(readText(map), examples, mapping.import.length === 1);
      writeTextFile(map, map, text);
    }
    results.push({ map, examples, updated: update ? differ : 0 });
  }
  const failed = results.flatMap(({ examples }) => examples).filter(({ diff }) => diff.length > 0).length;
  const isWrong = failed > 0 && !update;
  if (!quiet || isWrong) process.stdout.write(mapTestReport(output, results));
  if (isWrong) process.exitCode = exitCodes.refused;
}
