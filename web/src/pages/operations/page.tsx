import { useRead } from '../../state/use-read.ts';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';

export function Page() {
  const read = useRead('/readyz', {});
  return (
    <>
      <h1>Operations</h1>
      <Panel title="Checks">
        <ReadView read={read}>
          {(body) => (
            <dl class="pairs">
              {Object.entries(body.checks).map(([name, { detail }]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{detail}</dd>
                </div>
              ))}
            </dl>
          )}
        </ReadView>
      </Panel>
    </>
  );
}
