/** Numbers between two ends. */
export interface Between {
  readonly kind: 'between';
  readonly least: number;
  readonly most: number;
  /** Whether the end itself is excluded. */
  readonly isLeastOpen: boolean;
  readonly isMostOpen: boolean;
}

/** Texts or truths of a set. */
export interface Among {
  readonly kind: 'among';
  readonly values: ReadonlySet<boolean | string>;
}

/** Values that a feature may have. */
export type Domain = Between | Among;

export function isEmpty(domain: Domain): boolean {
  if (domain.kind === 'among') return domain.values.size === 0;
  const { least, most, isLeastOpen, isMostOpen } = domain;
  return least > most || (least === most && (isLeastOpen || isMostOpen));
}

/** What both allow. A feature has one type, so the kinds are the same. */
export function intersection(one: Domain, other: Domain): Domain {
  if (one.kind === 'among') {
    return other.kind === 'among' ? { kind: 'among', values: shared(one, other) } : one;
  }
  if (other.kind === 'among') return one;
  const lower =
    one.least > other.least || (one.least === other.least && one.isLeastOpen) ? one : other;
  const upper = one.most < other.most || (one.most === other.most && one.isMostOpen) ? one : other;
  return {
    kind: 'between',
    least: lower.least,
    isLeastOpen: lower.isLeastOpen,
    most: upper.most,
    isMostOpen: upper.isMostOpen,
  };
}

/** A domain that contains both. */
export function union(one: Domain, other: Domain): Domain {
  if (one.kind === 'among') {
    if (other.kind !== 'among') return one;
    return { kind: 'among', values: new Set([...one.values, ...other.values]) };
  }
  if (other.kind === 'among') return one;
  const lower =
    one.least < other.least || (one.least === other.least && !one.isLeastOpen) ? one : other;
  const upper = one.most > other.most || (one.most === other.most && !one.isMostOpen) ? one : other;
  return {
    kind: 'between',
    least: lower.least,
    isLeastOpen: lower.isLeastOpen,
    most: upper.most,
    isMostOpen: upper.isMostOpen,
  };
}

function shared(one: Among, other: Among): Set<boolean | string> {
  return new Set([...one.values].filter((value) => other.values.has(value)));
}
