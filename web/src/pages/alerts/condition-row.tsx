import { Badge } from '../../ui/badge.tsx';
import { Button, Select, TextField } from '../../ui/controls.tsx';
import { Figure } from '../../ui/figure.tsx';
import {
  type Condition,
  FIELDS,
  type Field,
  type Figures,
  OPERATORS,
  type Operator,
} from './alert-types.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import { standingOf } from './preview.ts';

const FIELD_OPTIONS = (Object.keys(FIELDS) as Field[]).map((value) => ({
  value,
  title: FIELDS[value],
}));

const OPERATOR_OPTIONS = (Object.keys(OPERATORS) as Operator[]).map((value) => ({
  value,
  title: OPERATORS[value],
}));

const HIT = 'rule_hit_confidence';

/** A hit is of one slot: its confidence crosses nothing. */
const HIT_OPERATORS = OPERATOR_OPTIONS.filter(({ value }) => !value.startsWith('crosses'));

const AUTHOR_OPTIONS = [
  { value: 'account', title: 'yours' },
  { value: 'operator', title: "the operator's" },
] as const;

/** Another figure has no rule, and a hit no crossing. */
function withField({ operator, value, ...rule }: Condition, field: Field): Condition {
  if (field !== HIT) return { field, operator, value };
  const { rule_id = '', author = 'account' } = rule;
  const compared = operator.startsWith('crosses') ? 'gt' : operator;
  return { field, operator: compared, value, rule_id, author };
}

const BADGES = {
  true: { tone: 'good', text: 'holds now' },
  false: { tone: 'neutral', text: 'does not hold' },
  unknown: { tone: 'warning', text: 'not known' },
  'no value': { tone: 'neutral', text: 'no value yet' },
  hit: { tone: 'neutral', text: 'holds in the slot of a hit' },
} as const;

/** One condition with the figure of the pool as it is now beside it. */
export function ConditionRow({
  position,
  condition,
  figures,
  error,
  onChange,
  onRemove,
}: {
  readonly position: number;
  readonly condition: Condition;
  readonly figures: Figures;
  readonly error: FieldError | null;
  readonly onChange: (condition: Condition) => void;
  /** Null for the only condition. */
  readonly onRemove: (() => void) | null;
}) {
  const { tone, text } = BADGES[standingOf(condition, figures)];
  const number = position + 1;
  return (
    <div class="condition">
      <Select
        label={`Figure ${number}`}
        value={condition.field}
        options={FIELD_OPTIONS}
        onChange={(field) => onChange(withField(condition, field))}
        error={errorAt(error, 'field', position)}
      />
      <Select
        label={`Comparison ${number}`}
        value={condition.operator}
        options={condition.field === HIT ? HIT_OPERATORS : OPERATOR_OPTIONS}
        onChange={(operator) => onChange({ ...condition, operator })}
        error={errorAt(error, 'operator', position)}
      />
      <TextField
        label={`Value ${number}`}
        value={condition.value}
        onChange={(value) => onChange({ ...condition, value: value.trim() })}
        error={errorAt(error, 'value', position)}
      />
      <div class="condition-now">
        <span class="muted small">Now</span>
        <span>
          {condition.field !== HIT && (
            <Figure
              value={figures[condition.field]}
              kind={condition.field === 'price_usd' ? 'price' : 'amount'}
              reason="Choose a pool; some figures are not known for every pool"
            />
          )}{' '}
          <Badge tone={tone}>{text}</Badge>
        </span>
      </div>
      {condition.field === HIT && (
        <RuleFields {...{ number, position, condition, error, onChange }} />
      )}
      {onRemove !== null && <Button onClick={onRemove}>Remove condition {number}</Button>}
    </div>
  );
}

/** The rule whose hits a condition is about. */
function RuleFields({
  number,
  position,
  condition,
  error,
  onChange,
}: {
  readonly number: number;
  readonly position: number;
  readonly condition: Condition;
  readonly error: FieldError | null;
  readonly onChange: (condition: Condition) => void;
}) {
  return (
    <div class="condition-rule">
      <TextField
        label={`Rule ${number}`}
        value={condition.rule_id ?? ''}
        onChange={(id) => onChange({ ...condition, rule_id: id.trim() })}
        error={errorAt(error, 'rule_id', position)}
      />
      <Select
        label={`Whose rule ${number}`}
        value={condition.author ?? 'account'}
        options={AUTHOR_OPTIONS}
        onChange={(author) => onChange({ ...condition, author })}
        error={errorAt(error, 'author', position)}
      />
    </div>
  );
}
