import { useEffect, useId, useState } from 'preact/hooks';
import { query, setQuery } from '../../state/router.ts';
import { Button, Select } from '../../ui/controls.tsx';
import { LAUNCHPADS, VENUES } from './choices.ts';
import { FILTER_NAMES, RANGES, type Range } from './market-query.ts';
import { EXPECTED, parseBound } from './parse-bound.ts';

/** Typing pauses for this time before the table is read again. */
const PAUSE_MS = 350;

/** How many filters of the address are set. */
export function countFilters(): number {
  return FILTER_NAMES.filter((name) => (query.value.get(name) ?? '') !== '').length;
}

/** Removes all filters from the address. */
export function clearFilters(): void {
  setQuery(Object.fromEntries([...FILTER_NAMES, 'page'].map((name) => [name, null])));
}

/** Search, ranges and choices; all of them in the address. */
export function Filters({ id }: { readonly id: string }) {
  return (
    <form id={id} class="market-filters" onSubmit={(event) => event.preventDefault()}>
      <ChoiceFilter name="venue" label="Venue" choices={VENUES} />
      <ChoiceFilter name="launchpad" label="Launchpad" choices={LAUNCHPADS} />
      {RANGES.map((range) => (
        <RangeFilter key={range.name} range={range} />
      ))}
      <div class="market-filters-end">
        <Button onClick={clearFilters} isDisabled={countFilters() === 0}>
          Clear all
        </Button>
      </div>
    </form>
  );
}

function ChoiceFilter({
  name,
  label,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly string[];
}) {
  const given = query.value.get(name) ?? '';
  return (
    <Select
      label={label}
      value={choices.includes(given) ? given : ''}
      options={[
        { value: '', title: 'Any' },
        ...choices.map((value) => ({ value, title: value.replaceAll('_', ' ') })),
      ]}
      onChange={(value) => change(name, value)}
    />
  );
}

function RangeFilter({ range }: { readonly range: Range }) {
  const { name, title, unit, placeholder } = range;
  return (
    <fieldset class="market-range">
      <legend>{title}</legend>
      <Bound name={`min_${name}`} label={`${title}, at least`} hint={placeholder[0]} unit={unit} />
      <span aria-hidden="true">–</span>
      <Bound name={`max_${name}`} label={`${title}, at most`} hint={placeholder[1]} unit={unit} />
    </fieldset>
  );
}

function Bound({
  name,
  label,
  hint,
  unit,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly unit: Range['unit'];
}) {
  const [text, setText] = useDelayedParameter(name);
  const isWrong = text.trim() !== '' && parseBound(unit, text) === null;
  const noteId = useId();
  return (
    <span class="market-bound">
      <input
        type="text"
        inputMode={unit === 'age' ? 'text' : 'decimal'}
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? noteId : undefined}
        placeholder={hint}
        value={text}
        maxLength={20}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {isWrong && (
        <span id={noteId} class="field-note error" role="alert">
          {EXPECTED[unit]}
        </span>
      )}
    </span>
  );
}

/** The search by name, symbol or the beginning of an address. */
export function SearchFilter() {
  const [text, setText] = useDelayedParameter('q');
  return (
    <input
      class="market-search"
      type="search"
      aria-label="Filter by name, symbol or address"
      placeholder="Filter by name or address"
      value={text}
      maxLength={64}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

/** A parameter of the address as it is typed: written there after a pause. */
function useDelayedParameter(name: string): [string, (text: string) => void] {
  const given = query.value.get(name) ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => {
      change(name, typed);
      setTyped(null);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name, typed]);
  return [typed ?? given, setTyped];
}

/** Another filter begins at the first page. */
function change(name: string, value: string): void {
  setQuery({ [name]: value === '' ? null : value, page: null });
}
