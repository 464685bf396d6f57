/**
 * Maps the RPC node's parsed instructions back to bytes: `accounts` names the fields of `info` in
 * the program's account order, `data` the arguments in order.
 *
 * Accounts: `a|b` uses the one that is present, `a?` may be absent, `a*` is a list, `a/b` is
 * omitted when it equals `b`.
 * Data: `<field or literal>:<type>`, with the types of parsed-arguments.ts.
 */
export interface ParsedLayout {
  readonly accounts: readonly ParsedAccount[];
  readonly data: readonly ParsedArgument[];
}

export interface ParsedAccount {
  readonly fields: readonly string[];
  readonly isOptional: boolean;
  readonly isList: boolean;
  /** The account is omitted when it equals the account of this field. */
  readonly unlessSameAs: string | null;
}

export interface ParsedArgument {
  readonly source: string;
  readonly type: string;
}

export type ParsedLayouts = Readonly<Record<string, ParsedLayout>>;

/** Builds a layout from its two strings. */
export function layout(accounts: string, data: string): ParsedLayout {
  return { accounts: words(accounts).map(toAccount), data: words(data).map(toArgument) };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function toAccount(word: string): ParsedAccount {
  const [names = '', unlessSameAs = null] = word.replace(/[?*]$/, '').split('/');
  return {
    fields: names.split('|'),
    isOptional: word.endsWith('?'),
    isList: word.endsWith('*'),
    unlessSameAs,
  };
}

function toArgument(word: string): ParsedArgument {
  const [source = '', type = ''] = word.split(':');
  return { source, type };
}
