/** Files that the page gives to the reader, and the clipboard. */

/** A text as a part of a file name: letters, digits and hyphens. */
export function slug(text: string): string {
  const found = text.normalize("NFKC").replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[-._]+|[-._]+$/g, "");
  return [...found].slice(0, 60).join("").replace(/[-.]+$/, "") || "chaindrive";
}

/** Name of a file: the report (drive) and what is in it. */
export function nameOf(what: string, ending: string): string {
  return `${slug(document.title)}_${slug(what)}.${ending}`;
}

export function download(data: Blob, name: string): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function downloadText(text: string, name: string, type = "text/csv"): void {
  download(new Blob([text], { type: `${type};charset=utf-8` }), name);
}

/** Throws where the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // not allowed here: the old way
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("this browser does not let the page write to the clipboard");
}

/** Whether pictures can go to the clipboard. */
export function copiesPictures(): boolean {
  return typeof ClipboardItem !== "undefined" && Boolean(navigator.clipboard?.write);
}

export async function copyPicture(canvas: HTMLCanvasElement): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(canvas) })]);
}

export function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture is too large for this browser"))), "image/png"));
}
