import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A titled section of a page. `actions` is at the end of the title's line. */
export function Panel({
  title,
  id,
  actions = null,
  isFlush = false,
  children,
}: {
  readonly title: string;
  /** For links to it from the same page. */
  readonly id?: string;
  readonly actions?: ComponentChildren;
  /** Without space around the content, as for tables. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}) {
  const titleId = useId();
  return (
    <section
      class="panel"
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={titleId}
    >
      <header class="panel-header">
        <h2 id={titleId}>{title}</h2>
        <div class="panel-actions">{actions}</div>
      </header>
      <div class={isFlush ? 'panel-body flush' : 'panel-body'}>{children}</div>
    </section>
  );
}
