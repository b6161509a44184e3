export interface Page {
  readonly serial?: number;
  readonly begins?: boolean;
  readonly packets: readonly Uint8Array[];
  /** `true` if the last packet continues on the next page. */
  readonly continues?: boolean;
}

/** Returns a page of an Ogg file. Its checksum is 0: the reader does not use it. */
export function oggPage({ serial = 1, begins = false, packets, continues = false }: Page): Buffer {
  const lacing = packets.flatMap((packet, index) => {
    const full = Array.from({ length: Math.floor(packet.length / 255) }, () => 255);
    const isCut = continues && index === packets.length - 1;
    return isCut ? full : [...full, packet.length % 255];
  });
  const header = Buffer.alloc(27);
  header.write('OggS');
  header[5] = begins ? 2 : 0;
  header.writeUInt32LE(serial, 14);
  header[26] = lacing.length;
  return Buffer.concat([header, Buffer.from(lacing), ...packets]);
}

/** Returns the first packet of an Opus stream. */
export function opusHead(channels = 2): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head[8] = 1;
  head[9] = channels;
  return head;
}

export const OPUS_TAGS: Uint8Array = Buffer.from('OpusTags');

/** Returns an Ogg file with these packets, on one page each. */
export function oggFile(packets: readonly Uint8Array[], serial = 1): Buffer {
  return Buffer.concat([
    oggPage({ serial, begins: true, packets: [opusHead()] }),
    oggPage({ serial, packets: [OPUS_TAGS] }),
    ...packets.map((packet) => oggPage({ serial, packets: [packet] })),
  ]);
}

/** Returns a different packet of 20 ms for each number. */
export function packetOf(number: number, length = 8): Buffer {
  const packet = Buffer.alloc(length, number);
  packet[0] = 0xfc;
  packet.writeUInt32BE(number, 1);
  return packet;
}
