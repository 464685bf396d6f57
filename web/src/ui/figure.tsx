import type { ComponentChildren } from 'preact';
import {
  formatChange,
  formatCompact,
  formatExact,
  formatPercent,
  formatPriceUsd,
  formatUsd,
  signOf,
  UNKNOWN,
} from '../format/numbers.ts';

export type FigureKind = 'usd' | 'price' | 'percent' | 'change' | 'amount';

const WRITERS: Readonly<Record<FigureKind, (text: string) => string>> = {
  usd: formatUsd,
  price: formatPriceUsd,
  percent: (text) => formatPercent(text),
  change: formatChange,
  amount: formatCompact,
};

/**
 * A number of the API as traders read it, with the exact one on hover. A change is coloured by its
 * sign. What is unknown is "–" with the reason on hover.
 */
export function Figure({
  value,
  kind,
  reason = 'Not known',
}: {
  readonly value: string | number | null | undefined;
  readonly kind: FigureKind;
  readonly reason?: string;
}) {
  if (value === null || value === undefined) {
    return (
      <span class="figure unknown" title={reason}>
        {UNKNOWN}
        <span class="visually-hidden">{reason}</span>
      </span>
    );
  }
  const text = String(value);
  const sign = kind === 'change' ? signOf(text) : 0;
  return (
    <span class={`figure ${CLASS_OF_SIGN[sign]}`} title={formatExact(text)}>
      {WRITERS[kind](text)}
    </span>
  );
}

const CLASS_OF_SIGN = { [-1]: 'falling', 0: '', 1: 'rising' } as const;

/** A figure with its name, for rows of them at the top of a page. */
export function NamedFigure({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="named-figure">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A row of named figures. */
export function FigureRow({ children }: { readonly children: ComponentChildren }) {
  return <dl class="figure-row">{children}</dl>;
}
