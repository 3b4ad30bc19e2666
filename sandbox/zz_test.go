package sandbox
import ("testing";"time";"fmt";"math/rand/v2")
func (s *sim) must(t *testing.T, m Command) { if err:=m.check(); err!=nil {t.Fatal(err)}; if err := s.do(nil, m); err != nil { t.Log(err) } }
func report(t *testing.T, s *sim, name string, n int) {
	var worst, sum time.Duration; at:=0
	for i := range n { w:=startWatch(); s.step(); d:=w.elapsed(); sum+=d; if d>worst {worst=d; at=i} }
	t.Logf("%s: worst %.1f ms at %d, mean %.1f, bodies %d contacts %d segs %v", name, worst.Seconds()*1e3, at, sum.Seconds()*1e3/float64(n), s.bodies, s.in.World.Stats().Contacts, s.in.World.Stats().Segments)
}
func TestZZ(t *testing.T) {
	cells := func(x0,y0,x1,y1 int, f func(x,y int) bool) (c []int32) { for y:=y0;y<=y1;y++ { for x:=x0;x<=x1;x++ { if f(x,y) {c=append(c,int32(x),int32(y))}}}; return }
	paint := func(s *sim, c []int32) { for len(c)>0 { n:=min(len(c),2*MaxCells); s.must(t, Command{Do:"paint",Shape:1,Cells:c[:n]}); c=c[n:]} }
	all := func(x,y int) bool {return true}
	_ = rand.New; _ = fmt.Sprint; _ = all
	for _, size := range []float64{3} {
		s := newSim(bare)
		for i := range 1500 { s.must(t, Command{Do:"add",Kind:"box",Size:size,X:float64(i%40)*size*1.05,Y:float64(i/40)*size*1.05}) }
		s.step()
		paint(s, cells(-5,-5,125,125,func(x,y int) bool {return (x+y)%2==0}))
		report(t,s,fmt.Sprint("chequer over bodies ",size),30)
	}
}
func TestZD(t *testing.T) {
	cells := func(x0,y0,x1,y1 int, f func(x,y int) bool) (c []int32) { for y:=y0;y<=y1;y++ { for x:=x0;x<=x1;x++ { if f(x,y) {c=append(c,int32(x),int32(y))}}}; return }
	s := newSim(bare)
	rng := rand.New(rand.NewPCG(1,2))
	s.must(t, Command{Do:"paint",Shape:1,Cells:cells(0,0,63,63,func(x,y int) bool {return true})})
	for range 4000 { x,y:=64*rng.Float64(),64*rng.Float64(); s.do(nil, Command{Do:"dig",X0:x,Y0:y,X1:x+0.5,Y1:y+0.3,Radius:0.1+0.1*rng.Float64()}) }
	for i := range 1500 { s.must(t, Command{Do:"add",Kind:"box",Size:1,X:float64(i%40)*1.05,Y:float64(i/40)*1.05}) }
	report(t,s,"dust",30)
}
