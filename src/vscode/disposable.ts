import type * as vscode from 'vscode';

/** Something that owns what it registers and lets go of it all at once, last first. */
export abstract class Disposable implements vscode.Disposable {
  private readonly owned: vscode.Disposable[] = [];
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const part of this.owned.splice(0).reverse()) part.dispose();
  }

  protected own<T extends vscode.Disposable>(part: T): T {
    if (this.disposed) part.dispose();
    else this.owned.push(part);
    return part;
  }
}
