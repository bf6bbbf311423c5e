// Which columns could be names where no header says so: by their texts.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { holdsCodes, isImage, isNested, isOtherThing, numbersIn } from './column-kinds.js';
import { namesOther } from './read-header.js';
import { longestName } from './tiered-columns.js';

/** Whether texts tell records apart by their words, whatever their header is called, unless it is that of something else. */
export function couldBeName(facts: ColumnProfile): boolean {
  const { name, longest, distinct, filled, samples, spaced } = facts;
  const tells = spaced * 2 >= filled ? distinct * 2 > filled : distinct === filled;
  return (
    filled > 1 &&
    tells &&
    longest <= longestName &&
    numbersIn(facts) + facts.measured === 0 &&
    !holdsCodes(facts) &&
    !isNested(facts) &&
    !isImage(facts) &&
    !namesOther(name, 'name') &&
    !isOtherThing(`${name}.name`) &&
    samples.every(
      (sample) => /\p{L}{3}|[^\P{L}\p{Script=Latin}]/u.test(sample) && !/^(?:https?:|<|\d+[.:-]\d)/u.test(sample),
    )
  );
}

/** Whether texts surely are names: only where the header says nothing to us. `Comment` or `Value` is no name. */
export function isName(facts: ColumnProfile): boolean {
  const { name, distinct, filled, spaced } = facts;
  return !/[a-z]{3}/iu.test(name) && spaced * 2 >= filled && distinct * 3 > filled * 2 && couldBeName(facts);
}
