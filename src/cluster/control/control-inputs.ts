import { isRefusing, REVIEW_STATUSES } from '../../model/fraud-review.ts';
import { OPERATOR, type RuleChange } from '../../model/rule-change.ts';
import type { RowChange } from '../../model/shared-rows.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { StepLog } from '../step-log.ts';
import { decodeControl } from './control-message.ts';

/** What a change of the control plane brings into the log of steps. */
interface ControlInput {
  readonly seq: number;
  readonly rules: readonly RuleChange[];
  readonly refused: readonly string[];
}

/** Of one slot; more wait for the next. One change alone may exceed it. */
const PER_SLOT_MAX = 100;

/**
 * Publications of rules, and reviews that refuse findings, which the writing ingester attaches to
 * the newest block. The head of the block says up to where, so that a fork that reverts it, or the
 * next writer, attaches each of them again or not at all.
 */
export class ControlInputs {
  private readonly waiting: ControlInput[] = [];
  private readonly onNotice: (sentence: string) => void;

  constructor(onNotice: (sentence: string) => void) {
    this.onNotice = onNotice;
  }

  /** Reads changes after a sequence, until aborted or until one cannot be read. */
  async read(log: StepLog, afterSeq: number, signal: AbortSignal): Promise<void> {
    this.waiting.length = 0;
    for await (const message of log.follow(afterSeq + 1, { signal })) {
      const decoded = decodeControl(message);
      if (typeof decoded === 'string') {
        this.onNotice(
          `change ${message.seq} of the control plane stops all later ones: ${decoded}`,
        );
        return;
      }
      this.take(message.seq, decoded.changes);
    }
  }

  /** The next change in the log of changes. */
  take(seq: number, changes: readonly RowChange[]): void {
    this.waiting.push({ seq, ...inputOf(changes) });
  }

  /** The newest block with the changes after a sequence, and the sequence up to which it has them. */
  attach(
    facts: SlotFacts,
    {
      controlSeq,
      finalControlSeq,
    }: { readonly controlSeq: number; readonly finalControlSeq: number },
  ): { readonly facts: SlotFacts; readonly controlSeq: number } {
    while ((this.waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= finalControlSeq) {
      this.waiting.shift();
    }
    const rules: RuleChange[] = [];
    const refused = new Set<string>();
    let reached = controlSeq;
    for (const input of this.waiting) {
      if (input.seq <= controlSeq) continue;
      const size = rules.length + refused.size;
      if (size > 0 && size + input.rules.length + input.refused.length > PER_SLOT_MAX) break;
      rules.push(...input.rules);
      for (const id of input.refused) refused.add(id);
      reached = input.seq;
    }
    const attached = {
      ...facts,
      ...(rules.length === 0 ? {} : { ruleChanges: [...(facts.ruleChanges ?? []), ...rules] }),
      ...(refused.size === 0
        ? {}
        : { refusedFindings: [...new Set([...(facts.refusedFindings ?? []), ...refused])] }),
    };
    return { facts: attached, controlSeq: reached };
  }
}

function inputOf(changes: readonly RowChange[]): Omit<ControlInput, 'seq'> {
  const rules = changes.flatMap((change) => ruleChangeOf(change) ?? []);
  const refused = changes.flatMap((change) => refusedOf(change) ?? []);
  return { rules, refused };
}

function ruleChangeOf(change: RowChange): RuleChange | null {
  if (change.table !== 'rules' || 'counter' in change) return null;
  const cells = 'put' in change ? change.put : change.remove;
  const { account_id: author, name, content = null } = cells;
  const isUsable =
    typeof author === 'string' &&
    author !== OPERATOR &&
    typeof name === 'string' &&
    (content === null || typeof content === 'string');
  if (!isUsable) return null;
  return { author, name, content: 'put' in change ? content : null };
}

function refusedOf(change: RowChange): string | null {
  if (change.table !== 'reviews' || !('put' in change)) return null;
  const { classification_id: id, status: text } = change.put;
  const status = REVIEW_STATUSES.find((one) => one === text);
  return typeof id === 'string' && status !== undefined && isRefusing(status) ? id : null;
}
