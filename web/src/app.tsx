import { useEffect, useState } from 'preact/hooks';
import { session } from './api/session-state.ts';
import { PAGES, type Page, type PageComponent, pageAt } from './pages/registry.ts';
import { path } from './state/router.ts';
import { AppShell } from './ui/app-shell.tsx';
import { KeyForm } from './ui/key-form.tsx';
import { Empty, Failed, Loading } from './ui/states.tsx';

const NAVIGATION = PAGES.flatMap(({ patterns: [href = '/'], title, isInNavigation }) =>
  isInNavigation ? [{ href, title }] : [],
);

/** The whole dashboard: the frame, and in it the form for the key or the page of the address. */
export function App() {
  const found = pageAt(path.value);
  return (
    <AppShell navigation={NAVIGATION} current={found?.page.patterns[0] ?? null}>
      {session.value === 'asking' && <Loading label="Opening" />}
      {session.value === 'needs key' && <KeyForm />}
      {session.value === 'open' && found === null && <Empty>There is no such page.</Empty>}
      {session.value === 'open' && found !== null && (
        <PageFrame key={path.value} page={found.page} params={found.params} />
      )}
    </AppShell>
  );
}

function PageFrame({
  page,
  params,
}: {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}) {
  const [loaded, setLoaded] = useState<{ readonly Shown: PageComponent } | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    document.title = `${page.title} · Mintscope`;
    page.load().then(
      (module) => setLoaded({ Shown: module.Page }),
      () => setFailed(true),
    );
  }, [page]);
  if (hasFailed) {
    const failure = { error: 0, message: 'The page could not be loaded.' };
    return <Failed failure={failure} onRetry={() => location.reload()} />;
  }
  return loaded === null ? <Loading label="Loading the page" /> : <loaded.Shown params={params} />;
}
