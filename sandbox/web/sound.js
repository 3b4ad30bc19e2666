// Sounds of impacts, digging and explosions, synthesised. There is none before the player's first gesture, which browsers
// ask for.

const MOST = 10;   // voices at once
const APART = 0.03; // s between two sounds

export class Sound {
  constructor(settings, camera) {
    Object.assign(this, { settings, camera });
    this.voices = 0;
    this.played = 0;
    this.last = 0;
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => this.wake(), { capture: true });
  }

  // wake makes the audio context, in a gesture.
  wake() {
    if (!this.settings.sound) return;
    if (!this.audio && window.AudioContext) {
      this.audio = new AudioContext();
      this.out = this.audio.createGain();
      this.out.gain.value = 0.5;
      this.out.connect(this.audio.destination);
      this.noise = this.audio.createBuffer(1, this.audio.sampleRate, this.audio.sampleRate);
      const data = this.noise.getChannelData(0);
      for (let i = 0; i < data.length; i++) data[i] = 2 * Math.random() - 1;
    }
    if (this.audio && this.audio.state === "suspended") this.audio.resume();
  }

  // news takes a NEWS message.
  news({ hits = [], edits = [], blasts = [] }) {
    if (!this.audio || !this.settings.sound) return;
    for (const b of blasts) this.burst(b, 1, 90, 1.1, 0.9);
    if (edits.length) {
      const [x0, y0, x1, y1] = edits[0].cells;
      this.burst({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 }, 0.16, 900, 0.09, 0.7);
    }
    for (const h of hits) if (h.speed > 1.5) this.impact(h);
  }

  // impact is a thud: the deeper, the larger the impulse; on ground it is duller, and of bouncy things it rings.
  impact(h) {
    const loud = Math.min(1, 0.05 * h.speed * Math.min(2, 0.4 + Math.sqrt(h.impulse) / 3));
    const pitch = Math.max(70, 420 / (1 + Math.sqrt(h.impulse))) * (h.ground ? 0.8 : 1.25);
    this.burst(h, loud, h.ground ? 5 * pitch : 9 * pitch, 0.07, 0.5);
    this.tone(h, 0.6 * loud, h.bounce > 0.4 ? 1.9 * pitch : pitch, h.bounce > 0.4 ? 0.25 : 0.11);
  }

  // voice returns a gain that fades, at a place of the world, or null if there are too many.
  voice({ x, y }, loud, lasts) {
    const now = this.audio.currentTime;
    if (this.voices >= MOST || now - this.last < APART) return null;
    const at = this.camera.toScreen(x, y), far = Math.hypot(at.x / this.camera.width - 0.5, at.y / this.camera.height - 0.5);
    const gain = this.audio.createGain(), pan = this.audio.createStereoPanner();
    gain.gain.setValueAtTime(loud * Math.max(0, 1.1 - far), now);
    gain.gain.exponentialRampToValueAtTime(0.001, now + lasts);
    pan.pan.value = Math.max(-0.8, Math.min(0.8, 2 * (at.x / this.camera.width - 0.5)));
    gain.connect(pan).connect(this.out);
    return gain;
  }

  start(source, lasts) {
    this.voices++;
    this.played++;
    source.onended = () => { this.voices--; };
    source.start();
    source.stop(this.audio.currentTime + lasts);
  }

  burst(at, loud, cut, lasts, q) {
    const gain = this.voice(at, loud, lasts);
    if (!gain) return;
    const source = this.audio.createBufferSource(), filter = this.audio.createBiquadFilter();
    source.buffer = this.noise;
    source.loop = true;
    filter.type = "lowpass";
    filter.frequency.value = cut;
    filter.Q.value = q;
    source.connect(filter).connect(gain);
    this.start(source, lasts);
  }

  tone(at, loud, pitch, lasts) {
    const gain = this.voice(at, loud, lasts);
    this.last = this.audio.currentTime;
    if (!gain) return;
    const source = this.audio.createOscillator();
    source.frequency.setValueAtTime(pitch, this.audio.currentTime);
    source.frequency.exponentialRampToValueAtTime(0.6 * pitch, this.audio.currentTime + lasts);
    source.connect(gain);
    this.start(source, lasts);
  }
}
