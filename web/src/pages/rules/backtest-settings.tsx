import type { RefObject } from 'preact';
import { TextArea, TextField } from '../../ui/controls.tsx';

/** What may be set beside rule and range, as typed; empty is the default of the API. */
export interface BacktestSettings {
  readonly costs: Readonly<Record<CostName, string>>;
  /** Other contents of the rule, as documents that lines of three hyphens divide. */
  readonly variants: string;
}

type CostName = 'failed_share' | 'network_sol' | 'tip_sol' | 'terminal_fee';

/** The fields of costs: their names in the API, labels, and what an empty field means. */
const COSTS: readonly (readonly [CostName, string, string])[] = [
  ['failed_share', 'Share of entries that fail', '0 to 1; empty is 0.1'],
  ['network_sol', 'Network fee, SOL', 'Of each transaction; empty is 0.0005'],
  ['tip_sol', 'Tip, SOL', 'Of each transaction; empty is 0.0005'],
  ['terminal_fee', 'Fee of the terminal', 'Share of each trade; empty is 0.01'],
];

export const DEFAULT_SETTINGS: BacktestSettings = {
  costs: { failed_share: '', network_sol: '', tip_sol: '', terminal_fee: '' },
  variants: '',
};

type SentSettings = Partial<Record<CostName, string>> & { readonly variants?: readonly string[] };

/** The settings as the API reads them: without what was left empty. */
export function orderOf({ costs, variants }: BacktestSettings): SentSettings {
  const typed = Object.entries(costs)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  const others = variants
    .split(/^---[ \t]*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => `${text}\n`);
  return { ...Object.fromEntries(typed), ...(others.length === 0 ? {} : { variants: others }) };
}

/** Costs and variants of a backtest, folded away. */
export function BacktestSettingsFields({
  settings,
  onChange,
  area,
}: {
  readonly settings: BacktestSettings;
  readonly onChange: (settings: BacktestSettings) => void;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const { costs, variants } = settings;
  return (
    <details class="backtest-settings">
      <summary>Costs and variants</summary>
      <div class="form-row">
        {COSTS.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            value={costs[name]}
            onChange={(value) => onChange({ ...settings, costs: { ...costs, [name]: value } })}
          />
        ))}
      </div>
      <TextArea
        label="Variants of the rule"
        hint="At most 19, divided by lines of ---. A walk-forward chooses among them week by week, and each is charged as a try."
        value={variants}
        onChange={(value) => onChange({ ...settings, variants: value })}
        area={area}
        lines={8}
      />
    </details>
  );
}
