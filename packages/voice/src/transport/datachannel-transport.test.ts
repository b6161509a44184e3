import { describe, expect, it } from 'vitest';
import { datachannelTransport } from './transport.js';

/** The native package, whose states the test sets. */
function openNative() {
  const sent: Buffer[] = [];
  const native = {
    isOpen: false,
    setState(_state: string): void {},
    openTrack(): void {},
  };
  class PeerConnection {
    onStateChange(listener: (state: string) => void): void {
      native.setState = listener;
    }
    addTrack() {
      return {
        setMediaHandler() {},
        isOpen: () => native.isOpen,
        sendMessageBinary: (packet: Buffer) => void sent.push(packet),
        onOpen(listener: () => void) {
          native.openTrack = () => {
            native.isOpen = true;
            listener();
          };
        },
      };
    }
  }
  class Audio {
    addOpusCodec() {}
    addSSRC() {}
  }
  const open = datachannelTransport({
    PeerConnection,
    Audio,
    RtcpSrReporter: class {},
    RtpPacketizationConfig: class {},
    // The methods that the transport calls.
  });
  const states: string[] = [];
  const transport = open({ ssrc: 1 });
  transport.onState((state) => states.push(state));
  return { native, transport, states, sent };
}

describe('datachannelTransport', () => {
  it('is connected when its track is open, so that the first packets are sent', () => {
    const { native, transport, states, sent } = openNative();
    native.setState('connecting');
    native.setState('connected');
    expect(states).toEqual(['connecting']);
    native.openTrack();
    expect(states).toEqual(['connecting', 'connected']);
    transport.send(Buffer.of(1));
    expect(sent).toEqual([Buffer.of(1)]);
    native.setState('disconnected');
    native.setState('connected');
    expect(states).toEqual(['connecting', 'connected', 'disconnected', 'connected']);
  });

  it('is not connected when its track opens after the connection was interrupted', () => {
    const { native, states } = openNative();
    native.setState('connected');
    native.setState('disconnected');
    native.openTrack();
    expect(states).toEqual(['disconnected']);
    native.setState('connected');
    expect(states).toEqual(['disconnected', 'connected']);
  });
});
