import type { BenignFamily, FraudType } from '../../truth/labels.ts';
import type { BenignGroup } from '../benign-group.ts';
import type { AttackKnobs } from '../knobs.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Script } from '../script.ts';

/** An evasion of one fraud pattern at three difficulties, and what is innocent and looks like it. */
export interface ScenarioCase {
  readonly type: FraudType;
  /** The knobs of the evasion, from those drawn for its type and difficulty. */
  readonly knobsOf: (drawn: AttackKnobs) => AttackKnobs;
  readonly attack: (context: ScenarioContext, knobs: AttackKnobs) => Script;
  /** The family that the look-alike is labelled with. */
  readonly family: BenignFamily;
  readonly lookAlike: (context: ScenarioContext, group: BenignGroup) => Script;
}
