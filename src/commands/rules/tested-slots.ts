import { dirname, resolve } from 'node:path';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { SCENARIO_NAMES, stageScenario } from '../../../simulator/scenario-stage.ts';
import { createRecordedSource } from '../../chain/recorded/recorded-source.ts';
import type { SourceItem } from '../../chain/source.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { nearestName } from '../../lib/nearest-name.ts';
import { UsageError } from '../../model/errors.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Address } from '../../model/units.ts';
import type { TestScenario, TestSlots } from '../../rules/file/rule-test.ts';
import { factsOfItem } from '../facts-of-item.ts';

/** Bound of a test, of scenarios and of recorded slots. */
export const TEST_SLOTS_MAX = 20_000;
/** More than a minute, so that the last minute with a trade ends. */
const SLOTS_AFTER = 200;
/** Beyond this distance another scenario is not what was meant. */
const DISTANCE_MAX = 4;

/** The slots of a test, in order. */
export interface TestedSlots {
  readonly slots: AsyncIterable<SlotFacts> | Iterable<SlotFacts>;
  /** The token that a scenario is about, known at its end; null for recorded slots. */
  readonly subject: () => Address | null;
}

/** The slots of a scenario that is played alone; a sentence if there is none of that name. */
export function scenarioSlots({ name, seed, difficulty }: TestScenario): TestedSlots | string {
  const stage = stageScenario({ name, seed, difficulty: difficulty ?? 'easy' });
  if (stage === null) return unknownScenario(name);
  if (stage.knobs === null && difficulty !== undefined) {
    return `${name} is a look-alike, which has no difficulty: leave it out.`;
  }
  return {
    slots: {
      *[Symbol.iterator]() {
        for (const block of stage.blocks(TEST_SLOTS_MAX, SLOTS_AFTER)) {
          yield decodeBlock(toChainBlock(block));
        }
      },
    },
    subject: () => stage.subject,
  };
}

function unknownScenario(name: string): string {
  const near = nearestName(name, SCENARIO_NAMES, DISTANCE_MAX);
  const advice =
    near === null ? `Known are ${SCENARIO_NAMES.join(', ')}.` : `Did you mean ${near}?`;
  return `There is no scenario ${name}. ${advice}`;
}

/**
 * Recorded slots. A path is relative to the folder of recorded data, or to that of the rule's file
 * if none is set. A sentence if nothing can be read there.
 */
export function recordedSlots(
  { path, from = 0, to = Number.POSITIVE_INFINITY }: TestSlots,
  ruleFile: string,
  dataFolder: string | undefined,
): TestedSlots | string {
  const found = resolve(dataFolder ?? dirname(ruleFile), path);
  try {
    const source = createRecordedSource([found]);
    return { slots: within(source, from, to), subject: () => null };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `There are no recorded slots at ${found}. Relative paths begin at MINTSCOPE_TEST_DATA, or at the folder of the rule if it is not set.`;
  }
}

async function* within(
  source: AsyncIterable<SourceItem>,
  from: number,
  to: number,
): AsyncGenerator<SlotFacts> {
  for await (const item of source) {
    const facts = factsOfItem(item);
    if (facts === null || facts.slot < from) continue;
    if (facts.slot > to) return;
    yield facts;
  }
}
