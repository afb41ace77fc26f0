/** A process that opens a store, looks at all of it once, and says what it found and what that took. */
import { House } from './house';

export interface Look {
  sessions: number;
  plans: number;
  matches: number;
  issues: string[];
  /** Milliseconds. */
  opened: number;
  searched: number;
  /** What the side bar needs: the sessions, and of one its queue. */
  shown: number;
  /** Megabytes of the process when the store is open. */
  memory: number;
}

async function main(folder: string, query: string): Promise<void> {
  const began = performance.now();
  const house = new House(folder);
  const names = await house.store.read((view) => view.sessions({ archived: true }).map(({ name }) => name));
  const opened = performance.now() - began;
  const [first = ''] = names;
  global.gc?.();
  const memory = process.memoryUsage().rss / 1e6;
  const searching = performance.now();
  const found = await house.store.read((view) => view.searchHistory(query, { limit: 10 }));
  const searched = performance.now() - searching;
  const showing = performance.now();
  await house.store.read((view) => [
    view.sessions(),
    view.activePlan(first),
    view.queue(first, { offset: 0, limit: 200 }),
  ]);
  const shown = performance.now() - showing;
  const counts = await house.store.read((view) =>
    names.map((name) => {
      const all = { offset: 0, limit: 1_000_000 };
      const finished = view.completedCount(name) + view.history(name, { status: 'discarded', ...all }).length;
      return view.queueLength(name) + finished + (view.activePlan(name) ? 1 : 0);
    }),
  );
  const issues = await house.issues();
  await house.store.close();
  const look: Look = {
    sessions: names.length,
    plans: counts.reduce((sum, count) => sum + count, 0),
    matches: found.length,
    issues,
    opened: Math.round(opened),
    searched: Math.round(searched * 10) / 10,
    shown: Math.round(shown * 10) / 10,
    memory: Math.round(memory),
  };
  process.stdout.write(JSON.stringify(look));
}

void main(process.argv[2] ?? '', process.argv[3] ?? '');
