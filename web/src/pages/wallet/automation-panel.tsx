import { formatAge, formatTime } from '../../format/times.ts';
import { nowMs } from '../../state/clock.ts';
import { type Bar, Bars } from '../../ui/bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { ClassBadge } from './class-badge.tsx';
import { type Automation, wordsOf } from './wallet-types.ts';

/** Whether the wallet is a bot, and every figure that decided it. */
export function AutomationPanel({ automation }: { readonly automation: Automation | null }) {
  return (
    <Panel title="Automation" actions={<ClassBadge label={automation?.label ?? null} />}>
      {automation === null ? (
        <Empty>This wallet never traded, so nothing is known about automation.</Empty>
      ) : (
        <>
          <Reason automation={automation} />
          <Evidence automation={automation} />
          <Bars label="Terms of the automation score" bars={automation.terms.map(barOf)} />
          <Sum automation={automation} />
        </>
      )}
    </Panel>
  );
}

/** What decided the class, in a sentence. */
function Reason({ automation }: { readonly automation: Automation }) {
  const { label, score, rule, rule_meaning: meaning, rule_held_at: heldAt, since } = automation;
  const now = nowMs.value;
  return (
    <div class="reason">
      <p>
        <strong>{score}</strong> likelihood of automation.{' '}
        {rule === null
          ? label === 'bot'
            ? 'The score decided: it reached 0.5 and has not been below 0.3 since.'
            : 'No hard rule holds and the score is below the limit: organic.'
          : `A hard rule decided: ${wordsOf(rule)}.`}{' '}
        <span class="muted" title={formatTime(since)}>
          Class for {formatAge(since, now)}.
        </span>
      </p>
      {automation.kinds.length > 0 && <p>Kinds: {automation.kinds.map(wordsOf).join(', ')}.</p>}
      {meaning !== null && (
        <p class="muted">
          {meaning}
          {heldAt !== null && (
            <span title={formatTime(heldAt)}> It last held {formatAge(heldAt, now)} ago.</span>
          )}
        </p>
      )}
    </div>
  );
}

/** The figures of the rule that holds or held. */
function Evidence({ automation }: { readonly automation: Automation }) {
  const { evidence } = automation;
  if (evidence.length === 0) return null;
  return (
    <Bars
      label="Evidence of the rule"
      bars={evidence.map(({ measure, value, threshold }) => ({
        name: wordsOf(measure),
        value: Number(value),
        threshold: Number(threshold),
      }))}
    />
  );
}

/** How the contributions become the score. */
function Sum({ automation }: { readonly automation: Automation }) {
  const { base, terms, rule } = automation;
  const sum = terms.reduce((total, { contribution }) => total + Number(contribution), Number(base));
  const unknown = terms.filter(({ value }) => value === null).length;
  return (
    <p class="muted small">
      Base {Number(base)} plus the contributions is {sum.toFixed(2)}; its likelihood is{' '}
      {(1 / (1 + Math.exp(-sum))).toFixed(4)}
      {rule === null ? '.' : ', which a hard rule overrides.'}{' '}
      {unknown > 0 && `${unknown} of ${terms.length} terms have too few observations and add 0.`}
    </p>
  );
}

function barOf(term: Automation['terms'][number]): Bar {
  const { feature, why, value, starts_at, full_at, weight, contribution } = term;
  return {
    name: feature,
    title: why,
    value: value === null ? null : Number(value),
    threshold: Number(starts_at),
    fullAt: Number(full_at),
    weight: Number(weight),
    contribution: value === null ? null : Number(contribution),
    reason: 'Too few observations: it adds 0',
  };
}
