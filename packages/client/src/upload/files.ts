/** Bytes, a Blob, a stream or a string: alone it is a path, relative to `RestOptions.filesRoot`; as `data` it is text. */
export type FileData = string | Uint8Array | BlobLike | AsyncIterable<Uint8Array | string>;

interface FileLabel {
  /** Name that others see. */
  readonly name: string;
  /** Media type. @defaultValue the type of a Blob, else by the extension of `name` */
  readonly contentType?: string | undefined;
}

/** File with a name: its content as `data`, whose strings are sent as UTF-8, or its `path`. */
export type NamedFile =
  | (FileLabel & { readonly data: FileData; readonly path?: never })
  | (FileLabel & { readonly path: string; readonly data?: never });

/**
 * A file to send: a path, bytes, a Blob, a stream, or one of these with a name. A path is read while it is sent; a stream is
 * read before, for its size, with 64 MiB at most. A stream of Node.js is destroyed if the call ends meanwhile.
 */
export type FileInput = FileData | NamedFile;

/** A `Blob` or a `File`, of Node.js or of the web. */
export interface BlobLike {
  readonly size: number;
  /** Media type; often empty. */
  readonly type: string;
  /** Set for a `File`. */
  readonly name?: string | undefined;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A file whose size is known, ready to be sent as often as it takes. */
export interface FileSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly blob: BlobLike;
}
