/** The page's side of the typed messages, and the few things that every page of ours does alike. */

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The part of a zod schema that is needed here. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { message: string } };
}

export class Host<In, Out> {
  private readonly api = acquireVsCodeApi();

  /** Hands each message to `receive`. What the protocol doesn't know is ignored. */
  constructor(schema: Schema<In>, receive: (message: In) => void) {
    window.addEventListener('message', (event) => {
      const parsed = schema.safeParse(event.data);
      // biome-ignore lint/suspicious/noConsole: the developer tools are a page's only log.
      if (!parsed.success) console.warn('a message was refused:', parsed.error.message);
      else receive(parsed.data);
    });
  }

  post(message: Out): void {
    this.api.postMessage(message);
  }

  /** What the page looked like when it was last shown; `schema` decides whether it is still understood. */
  remembered<T>(schema: Schema<T>): T | undefined {
    const parsed = schema.safeParse(this.api.getState());
    return parsed.success ? parsed.data : undefined;
  }

  remember(state: unknown): void {
    this.api.setState(state);
  }
}

/** Hands clicks on links of rendered Markdown to `open`, and keys too. */
export function followLinks(root: HTMLElement, open: (target: string) => void): void {
  const follow = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-target]') : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    open(link.dataset.target ?? '');
  };
  root.addEventListener('click', follow);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow(event);
  });
}

/** The page's words by key, in the reader's language, with `{0}`, `{1}`… filled in. */
export function wordsOf<K extends string>(): (key: K, ...values: (string | number)[]) => string {
  const words = JSON.parse(document.body.dataset.words ?? '{}') as Record<string, string>;
  return (key, ...values) =>
    (words[key] ?? key).replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));
}
