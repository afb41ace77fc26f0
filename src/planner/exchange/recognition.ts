import { isBeads, readBeads } from './beads';
import { isChecklist, readChecklist } from './checklist';
import { type Exported, isExported, readExported } from './exported';
import { type Outline, UnreadableImport } from './outline';
import { readPlanDocument } from './planDocumentImport';
import { isTaskMaster, readTaskMaster } from './taskMaster';

export type Found = { kind: 'export'; exported: Exported } | { kind: 'outline'; outline: Outline };

/** What a file holds, told by its content. `name` is the file's, for a document without a title. Throws UnreadableImport. */
export function recognize(text: string, name: string): Found {
  const json = parsed(text, /\.json$/i.test(name));
  if (json === undefined) {
    if (text.trim() === '') throw new UnreadableImport({ kind: 'empty' });
    if (isBeads(text)) return { kind: 'outline', outline: readBeads(text, name) };
    return { kind: 'outline', outline: isChecklist(text) ? readChecklist(text) : readPlanDocument(text, name) };
  }
  if (isBeads(text)) return { kind: 'outline', outline: readBeads(text, name) };
  if (isExported(json)) return { kind: 'export', exported: readExported(json) };
  if (isTaskMaster(json)) return { kind: 'outline', outline: readTaskMaster(json) };
  throw new UnreadableImport({ kind: 'unknown' });
}

function parsed(text: string, mustBeJson: boolean): unknown {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch (error) {
    if (mustBeJson) throw new UnreadableImport({ kind: 'json', detail: (error as Error).message });
    return undefined;
  }
}
