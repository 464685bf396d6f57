import { useRef, useState } from 'preact/hooks';
import { isFailure, send } from '../../api/client.ts';
import { useRead } from '../../state/use-read.ts';
import { Button, Select, TextArea, TextField } from '../../ui/controls.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BacktestSettingsFields, DEFAULT_SETTINGS, orderOf } from './backtest-settings.tsx';
import { ProblemList } from './problem-list.tsx';
import { type Backtest, ruleKeyOf } from './rule-types.ts';

const PASTED = 'pasted';
const DAY_MS = 86_400_000;
const DAYS = 7;

/** Adds a backtest of a published rule, or of a pasted one, over a range of time. */
export function BacktestForm({ onDone }: { readonly onDone: () => void }) {
  const rules = useRead('/v1/rules', {}).body?.rules ?? [];
  const [key, setKey] = useState(PASTED);
  const [pasted, setPasted] = useState('');
  const [from, setFrom] = useState(() => minuteText(Date.now() - DAYS * DAY_MS));
  const [to, setTo] = useState(() => minuteText(Date.now()));
  const [settings, setSettings] = useState(DEFAULT_SETTINGS);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [added, setAdded] = useState<Backtest | null>(null);
  const [isSending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const variantsArea = useRef<HTMLTextAreaElement>(null);
  const text =
    key === PASTED ? pasted : (rules.find((one) => ruleKeyOf(one) === key)?.content ?? '');
  const submit = async () => {
    setSending(true);
    setAdded(null);
    const body = { rule: text, from: from.trim(), to: to.trim(), ...orderOf(settings) };
    const answer = await send<Backtest>('POST', '/v1/backtests', body);
    setSending(false);
    setRefusal(isFailure(answer) ? answer.message : null);
    if (isFailure(answer)) return;
    setAdded(answer.ok);
    onDone();
  };
  return (
    <Panel title="New backtest">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {added !== null && (
          <Notice tone="good" onDismiss={() => setAdded(null)}>
            Added. <a href={`/backtest/${encodeURIComponent(added.id)}`}>Its report</a> is there
            once it is done. Each content that is tried is charged to the intervals.
          </Notice>
        )}
        <div class="form-row">
          <Select
            label="Rule"
            value={key}
            options={[
              { value: PASTED, title: 'Pasted below' },
              ...rules.map((rule) => ({
                value: ruleKeyOf(rule),
                title: ruleKeyOf(rule).replace(/^account\//, ''),
              })),
            ]}
            onChange={setKey}
          />
          <TextField
            label="From"
            value={from}
            onChange={setFrom}
            hint="As 2026-11-20 or 2026-11-20T14:30Z"
          />
          <TextField
            label="To (exclusive)"
            value={to}
            onChange={setTo}
            hint="At most 400 days later"
          />
        </div>
        {key === PASTED && (
          <TextArea
            label="Rule (YAML or JSON)"
            value={pasted}
            onChange={setPasted}
            area={area}
            isRefused={refusal !== null}
            hint="It need not be published."
          />
        )}
        <BacktestSettingsFields settings={settings} onChange={setSettings} area={variantsArea} />
        {refusal !== null && <ProblemList message={refusal} text={text} area={area} />}
        <p class="form-actions">
          <Button kind="primary" type="submit" isDisabled={isSending || text.trim() === ''}>
            Add
          </Button>
        </p>
      </form>
    </Panel>
  );
}

/** A time to the minute, in UTC, as the API reads it. */
function minuteText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}
