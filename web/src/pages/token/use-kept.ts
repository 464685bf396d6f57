import { useRef } from 'preact/hooks';
import type { Read } from '../../state/use-read.ts';

/**
 * A read whose body stays while the next one is read, as long as `key` is the same: for time ranges
 * that move with the clock.
 */
export function useKept<Body>(read: Read<Body>, key: string): Read<Body> {
  const kept = useRef<{ readonly key: string; readonly body: Body } | null>(null);
  if (read.body !== null) kept.current = { key, body: read.body };
  const older = kept.current?.key === key ? kept.current.body : null;
  return { ...read, body: read.body ?? older };
}
