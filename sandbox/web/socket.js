// The connection to the server. It reconnects after a loss.

import { decode } from "./protocol.js";

const FIRST_WAIT = 400, LONGEST_WAIT = 4000; // ms

export class Socket {
  // onMessage is called with decoded messages, onState with "connecting", "connected" or "lost".
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    this.state = "connecting";
    this.connect();
  }

  connect() {
    const ws = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/ws");
    ws.binaryType = "arraybuffer";
    ws.onopen = () => {
      this.wait = FIRST_WAIT;
      this.set("connected");
    };
    ws.onmessage = (e) => {
      const m = decode(e.data);
      this.onMessage(m);
      if (m.type === "frame") this.send({ do: "ack", seq: m.seq });
    };
    ws.onclose = () => {
      this.set("lost");
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
    this.ws = ws;
  }

  set(state) {
    this.state = state;
    this.onState(state);
  }

  // send sends a command. It does nothing without a connection.
  send(command) {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(command));
  }
}
