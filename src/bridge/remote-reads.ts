import type { Awaitable } from '../lib/awaitable.ts';

type Method = (...args: never[]) => unknown;

/** Groups of reads as another thread offers them: each answer is awaited. */
export type Remote<Reads> = {
  readonly [Group in keyof Reads]: {
    readonly [Name in keyof Reads[Group]]: Reads[Group][Name] extends Method
      ? (
          ...args: Parameters<Reads[Group][Name]>
        ) => Promise<Awaited<ReturnType<Reads[Group][Name]>>>
      : never;
  };
};

/** The same groups where they are answered: a method may answer at once. */
export type Answers<Reads> = {
  readonly [Group in keyof Reads]: {
    readonly [Name in keyof Reads[Group]]: Reads[Group][Name] extends Method
      ? (
          ...args: Parameters<Reads[Group][Name]>
        ) => Awaitable<Awaited<ReturnType<Reads[Group][Name]>>>
      : never;
  };
};

/** Sends a read by its name, `group.method`, with its arguments, and returns the answer. */
export type SendRead = (name: string, args: readonly unknown[]) => Promise<unknown>;

/**
 * Reads of another thread as objects of methods. A method added to `Reads` needs no line here: its
 * name and arguments are sent as they are, so they must be structured-cloneable.
 */
export function remoteReads<Reads>(send: SendRead): Remote<Reads> {
  const groups = membersOnDemand((group) =>
    membersOnDemand(
      (method) =>
        (...args: readonly unknown[]) =>
          send(`${group}.${method}`, args),
    ),
  );
  // Which members there are is known to the compiler alone.
  return groups as Remote<Reads>;
}

/** The method that answers a read, bound to its group. Throws Error for a name that is no read. */
export function methodOf<Reads>(
  answers: Answers<Reads>,
  name: string,
): (args: readonly unknown[]) => unknown {
  const [groupName = '', methodName = ''] = name.split('.');
  const groups = answers as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const group = Object.hasOwn(groups, groupName) ? groups[groupName] : undefined;
  const method = group?.[methodName];
  if (typeof method !== 'function') throw new Error(`There is no read ${name}.`);
  return (args) => method.apply(group, args);
}

/** An object that makes each member when it is first read. It is no promise: it has no `then`. */
function membersOnDemand(make: (name: string) => unknown): object {
  const made = new Map<string, unknown>();
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      if (!made.has(name)) made.set(name, make(name));
      return made.get(name);
    },
  });
}
