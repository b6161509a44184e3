export { createReceiver, type ReceivingSession, type Receiver } from './receive/receiver.js';
