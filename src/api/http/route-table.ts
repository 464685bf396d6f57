import type { Access } from './admission.ts';

export interface RouteMatch {
  /** Methods the path answers, sorted. */
  readonly methods: readonly string[];
  readonly access: Access;
}

export interface RouteTable {
  add(pattern: string, methods: string | readonly string[], accessOf: () => Access): void;
  /** What answers at a path under other methods; null when nothing does. */
  match(url: string): RouteMatch | null;
}

interface Entry {
  readonly pathShape: RegExp;
  readonly methods: Set<string>;
  readonly accessOf: () => Access;
}

/** Knows every route by its path, so that a wrong method is told from an unknown path. */
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
  return new RegExp(`^${escaped.replace(/:[^/]+/g, '[^/]*')}$`);
}
