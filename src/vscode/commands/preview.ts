import type { PreviewQuestion } from '../previewQuestion';
import { type CommandTable, shows } from './command';

/** The answers in the title bar of a preview. */
export function previewCommands(question: PreviewQuestion): CommandTable {
  return {
    'nineplan.preview.write': shows(async () => question.answer('write')),
    'nineplan.preview.copy': shows(async () => question.answer('copy')),
    'nineplan.preview.importAnew': shows(async () => question.answer('importAnew')),
    'nineplan.preview.importLists': shows(async () => question.answer('importLists')),
    'nineplan.preview.importHere': shows(async () => question.answer('importHere')),
    'nineplan.preview.restore': shows(async () => question.answer('restore')),
  };
}
