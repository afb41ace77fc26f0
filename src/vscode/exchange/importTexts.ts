import * as vscode from 'vscode';
import type { ImportFault, Remark } from '../../planner/exchange/outline';

/** What could not be taken over as it was, in a sentence. */
export function remarkText(remark: Remark): string {
  switch (remark.kind) {
    case 'repeated':
      return vscode.l10n.t(
        '{0}: {1} is there more than once; what waits for it waits for the first.',
        remark.list,
        remark.key,
      );
    case 'missing':
      return vscode.l10n.t(
        '{0}: {1} waits for {2}, which is not there.',
        remark.list,
        remark.key,
        remark.blockers.join(', '),
      );
    case 'circle':
      return vscode.l10n.t(
        '{0}: {1} and {2} wait for each other; that {1} waits was left out.',
        remark.list,
        remark.key,
        remark.other,
      );
    case 'leftOut':
      return remark.lines === 1
        ? vscode.l10n.t('1 line between the items belongs to none of them and was left out.')
        : vscode.l10n.t('{0} lines between the items belong to none of them and were left out.', remark.lines);
  }
}

/** Why a file can't be imported, in a sentence. */
export function faultText(fault: ImportFault): string {
  switch (fault.kind) {
    case 'empty':
      return vscode.l10n.t('The file is empty.');
    case 'unknown':
      return vscode.l10n.t('The JSON is neither an export of 9plan nor tasks of Task Master or beads.');
    case 'newer':
      return vscode.l10n.t('It was written by a newer version of 9plan: update it.');
    case 'encoding':
      return vscode.l10n.t('It is no text in UTF-8.');
    case 'json':
      return vscode.l10n.t('The JSON can’t be read: {0}', fault.detail);
    case 'shape':
      return fault.detail;
    case 'line':
      return vscode.l10n.t('Line {0}: {1}', fault.line, fault.detail);
    case 'tag':
      return vscode.l10n.t('In the tag {0}: {1}', fault.tag, fault.detail);
  }
}
