import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { choiceInQuery, setQuery } from '../state/router.ts';

export interface Tab {
  /** Value in the address. */
  readonly id: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

/**
 * Tabs whose choice is the parameter `name` of the address. Only the chosen content is rendered.
 * Arrow keys, Home and End move between them.
 */
export function Tabs({
  name,
  label,
  tabs,
}: {
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly [Tab, ...Tab[]];
}) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const ids = tabs.map(({ id }) => id) as [string, ...string[]];
  const chosen = choiceInQuery(name, ids);
  const choose = (id: string | undefined) => {
    if (id !== undefined) setQuery({ [name]: id === ids[0] ? null : id });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = nextIndex(event.key, ids.indexOf(chosen), ids.length);
    if (index === null) return;
    event.preventDefault();
    choose(ids[index]);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${prefix}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}-panel`} aria-labelledby={`${prefix}-${chosen}`}>
        {tabs.find(({ id }) => id === chosen)?.content()}
      </div>
    </>
  );
}

function nextIndex(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
