import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { CONTRACT_VERSION, type DetectorCard } from '../../fraud/contract/detector.ts';
import { madeOnce } from '../../lib/made-once.ts';

const SENTENCE_MAX = 500;
const ENTRIES_MAX = 64;

const sentence = Type.String({ pattern: '\\S', maxLength: SENTENCE_MAX });
const shapeOf = madeOnce(() => Compile(DESCRIPTION));
const DESCRIPTION = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  severity: Type.Integer({ minimum: 1, maximum: 10 }),
  card: Type.Object({
    pattern: sentence,
    lookAlikes: Type.Array(sentence, { minItems: 1, maxItems: ENTRIES_MAX }),
    thresholds: Type.Record(
      Type.String({ maxLength: 64 }),
      Type.Object({
        value: Type.Union([Type.Number(), Type.Tuple([Type.Number(), Type.Number()])]),
        reason: sentence,
      }),
      { minProperties: 1, maxProperties: ENTRIES_MAX },
    ),
  }),
});

/** What a detector says of itself. */
export interface Description {
  readonly version: number;
  readonly severity: number;
  readonly card: DetectorCard;
}

/** Checks what the detector of a package says of itself; a sentence on what is wrong with it. */
export function checkDescription(text: string, packageName: string): Description | string {
  const value = JSON.parse(text);
  const { contractVersion, name, isInspecting } = value;
  if (typeof contractVersion !== 'number') {
    return `it does not say for which version of the contract it is written; this service has version ${CONTRACT_VERSION}`;
  }
  if (contractVersion !== CONTRACT_VERSION) {
    return `it is written for version ${contractVersion} of the contract, and this service has version ${CONTRACT_VERSION}`;
  }
  if (name !== packageName) return `its detector is named ${name}, and its package is not`;
  if (isInspecting !== true) return 'its detector has no function inspect';
  const shape = shapeOf();
  if (!shape.Check(value)) {
    const [first] = shape.Errors(value);
    return `its detector is of another shape: ${first?.instancePath ?? ''} ${first?.message ?? ''}`;
  }
  const { version, severity, card } = value;
  return { version, severity, card };
}
