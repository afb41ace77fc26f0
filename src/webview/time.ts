/** A time in the reader's language, always of 24 hours, as the lists beside the pages have it. */
export function time(iso: string): string {
  return new Date(iso).toLocaleString(document.documentElement.lang || undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
