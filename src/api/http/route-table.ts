import type { Access } from './admission.ts';

export interface RouteMatch {
  /** Methods supported at the path, sorted. */
  readonly methods: readonly string[];
  readonly access: Access;
}

export interface RouteTable {
  add(pattern: string, methods: string | readonly string[], accessOf: () => Access): void;
  /** Methods and access of a path; null for an unknown path. */
  match(url: string): RouteMatch | null;
}

interface Entry {
  readonly pathShape: RegExp;
  readonly methods: Set<string>;
  readonly accessOf: () => Access;
}

/** Matches paths to routes, to distinguish a wrong method (405) from an unknown path (404). */
export function createRouteTable(): RouteTable {
  const entries = new Map<string, Entry>();
  return {
    add(pattern, methods, accessOf) {
      const entry = entries.get(pattern) ?? {
        pathShape: toPathShape(pattern),
        methods: new Set(),
        accessOf,
      };
      for (const method of [methods].flat()) entry.methods.add(method);
      entries.set(pattern, entry);
    },
    match(url) {
      const path = url.split('?', 1)[0] ?? url;
      for (const { pathShape, methods, accessOf } of entries.values()) {
        if (pathShape.test(path)) return { methods: [...methods].sort(), access: accessOf() };
      }
      return null;
    },
  };
}

function toPathShape(pattern: string): RegExp {
  const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]*').replace(/\\\*$/, '.*')}$`);
}
