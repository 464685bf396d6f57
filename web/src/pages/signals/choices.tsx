import { nameOf } from '../../format/names.ts';
import { choiceInQuery, setQuery } from '../../state/router.ts';
import { Segments, Select } from '../../ui/controls.tsx';
import { EXIT_RULES, EXIT_TITLES, MODELS, TICKETS } from './signal-types.ts';

const SPANS = [
  { value: '1', title: '1 d' },
  { value: '7', title: '7 d' },
  { value: '30', title: '30 d' },
  { value: '365', title: '1 y' },
] as const;

/** What the address says is shown. */
export function readChoices() {
  return {
    model: choiceInQuery('model', ['all', ...MODELS]),
    days: choiceInQuery('days', ['30', '7', '1', '365']),
    rule: choiceInQuery('rule', EXIT_RULES),
    ticket: choiceInQuery('ticket', TICKETS),
  };
}

/** Period, rule of the exit and size, which all figures of the page follow. */
export function Choices() {
  const { model, days, rule, ticket } = readChoices();
  return (
    <div class="signal-choices">
      <Select
        label="Model"
        value={model}
        options={['all' as const, ...MODELS].map((value) => ({ value, title: nameOf(value) }))}
        onChange={(chosen) => setQuery({ model: chosen === 'all' ? null : chosen })}
      />
      <Select
        label="Exit"
        value={rule}
        options={EXIT_RULES.map((value) => ({ value, title: EXIT_TITLES[value] }))}
        onChange={(chosen) => setQuery({ rule: chosen === EXIT_RULES[0] ? null : chosen })}
      />
      <Segments
        label="Size of the position"
        value={ticket}
        options={TICKETS.map((value) => ({
          value,
          title: `$${Number(value).toLocaleString('en')}`,
        }))}
        onChange={(chosen) => setQuery({ ticket: chosen === TICKETS[0] ? null : chosen })}
      />
      <Segments
        label="Period"
        value={days}
        options={SPANS}
        onChange={(chosen) => setQuery({ days: chosen === '30' ? null : chosen })}
      />
    </div>
  );
}
